import Foundation
import SkeinServer
import Testing

@testable import SkeinCommand

@Suite("The demo's bare requests")
struct DemoPostsTests {
  private func body(_ id: String, kind: String = "text") throws -> Data {
    try JSONEncoder().encode(["id": id, "kind": kind, "content": #"{"text":"\#(id)"}"#])
  }

  @Test(
    "Posts arrive in their order, in their senders' names, and one that is refused ends them with its status")
  func posts() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = ServerOptions(folder: folder)
    options.passwordCost = .minimum
    let server = try await ChatServer.start(options)
    let address = "http://127.0.0.1:\(server.port)"
    let alice = DemoRequests(server: address, user: "alice", password: "a password")
    let bob = DemoRequests(server: address, user: "bob", password: "a password")
    try await alice.register()
    try await bob.register()
    try await alice.post("conversations", ["kind": "direct", "peer": "bob"])
    let witness = DemoWitness(server: address, user: "bob", password: "a password")
    let conversation = try #require(try await witness.conversations().first)
    let path = "conversations/\(conversation.id)/messages"
    let tokens = [try await alice.accessToken(), try await bob.accessToken()]

    try await DemoPosts.send(
      try (0..<40).map { (tokens[$0 % 2], try body("m\($0)")) }, to: path, at: address)
    let history = try await witness.history(with: "alice")
    let (ids, senders) = ((0..<40).map { "m\($0)" }, (0..<40).map { ["alice", "bob"][$0 % 2] })
    #expect(history.map(\.id) == ids)
    #expect(history.map(\.sender) == senders)

    let refused = [(tokens[0], try body("x", kind: "")), (tokens[0], try body("y"))]
    await #expect(throws: DemoFailure.self) {
      try await DemoPosts.send(refused, to: path, at: address)
    }
    #expect(try await witness.history(with: "alice").count == 40)
    await server.stop()
    await #expect(throws: DemoFailure.self) {
      try await DemoPosts.send([(tokens[0], Data())], to: path, at: address)
    }
  }
}
