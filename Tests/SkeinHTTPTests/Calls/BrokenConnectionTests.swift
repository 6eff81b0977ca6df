import Foundation
import Skein
import SkeinHTTP
import SkeinSockets
import Testing

@Suite("Errors of broken connections")
struct BrokenConnectionTests {
  @Test("A call to a server that is not running fails as unreachable, with the outcome known")
  func nobody() async throws {
    let port = try ReservedPort()
    let backend = try HTTPBackend.local(port: port.number)
    let error = await backendError { _ = try await backend.send(.example) }
    #expect(error?.code == .unreachable)
    #expect(error?.outcomeIsUnknown == false)
    let push = await backendError { try await backend.run(since: nil) { _ in } }
    #expect(push?.code == .unreachable)
    withExtendedLifetime(port) {}
  }

  @Test("A connection lost after the request leaves the outcome unknown")
  func reset() async throws {
    let server = try RawServer(.reset)
    let backend = try HTTPBackend.local(port: server.port)
    let error = await backendError { _ = try await backend.send(.example) }
    #expect(error?.code == .unreachable)
    #expect(error?.outcomeIsUnknown == true)
  }

  @Test("If a reused connection is lost after the request, the call fails at once, with the outcome unknown")
  func kept() async throws {
    try await TestWorld.run { world in
      let session = try await world.user("alice")
      _ = try await world.user("bob")
      let relay = try RawServer(.cut(port: world.address.port ?? 0, before: #""serverID""#))
      let url = try #require(URL(string: "http://127.0.0.1:\(relay.port)"))
      let alice = HTTPBackend(server: url, token: session.token)
      let chat = try await alice.open(.direct("bob"))
      let message = OutgoingMessage(
        id: MessageID(rawValue: "m1"), conversation: chat.ref, kind: "text", payload: Data("{}".utf8))
      let error = await backendError { _ = try await alice.send(message) }
      #expect(error?.code == .unreachable)
      #expect(error?.outcomeIsUnknown == true)
    }
  }

  @Test("A truncated answer is an error")
  func half() async throws {
    let server = try RawServer(.say("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"id\":"))
    let backend = try HTTPBackend.local(port: server.port)
    let error = await backendError { _ = try await backend.send(.example) }
    #expect(error?.code == .unreachable)
    #expect(error?.outcomeIsUnknown == true)
  }

  @Test("An endless answer is cut off")
  func endless() async throws {
    let server = try RawServer(
      .sayAndStay("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: " ", count: 2 << 20)))
    var options = HTTPOptions.patient
    options.maximumAnswerSize = 1 << 20
    let backend = try HTTPBackend.local(port: server.port, options: options)
    let error = await backendError { _ = try await backend.send(.example) }
    #expect(error?.code == .transient)
    #expect(error?.outcomeIsUnknown == true)
  }

  @Test("An answer that is not HTTP is an error")
  func noHTTP() async throws {
    let server = try RawServer(.say("220 mail.example.org ESMTP\r\n"))
    let backend = try HTTPBackend.local(port: server.port)
    let error = await backendError { _ = try await backend.send(.example) }
    #expect(error?.code == .unreachable)
    #expect(error?.outcomeIsUnknown == true)
  }

  @Test("A call to a silent server ends at the deadline, with the outcome unknown")
  func silence() async throws {
    let asked = Gate()
    var options = HTTPOptions.patient
    options.sleep = { _ in await asked.wait() }
    try await ScriptedServer.run(
      answering: { _ in
        asked.open()
        await Gate().wait()
        return .json("{}")
      }, options: options
    ) { backend in
      let error = await backendError { _ = try await backend.send(.example) }
      #expect(error?.code == .transient)
      #expect(error?.outcomeIsUnknown == true)
    }
  }

  @Test("A call that only reads outlives the deadline of a call that changes something")
  func reading() async throws {
    let asked = Gate(), isLate = Gate()
    var options = HTTPOptions()
    options.sleep = { [deadline = options.deadline] in await ($0 > deadline ? Gate() : asked).wait() }
    try await ScriptedServer.run(
      answering: { request in
        guard request.method == "GET" else {
          asked.open()
          await Gate().wait()
          return HTTPResponse(status: 204)
        }
        await isLate.wait()
        return .json(#"{"next":"1","changed":[],"removed":[]}"#)
      }, options: options
    ) { backend in
      async let list = backend.contacts(since: nil)
      let error = await backendError { try await backend.leave(ConversationRef(rawValue: "g")) }
      #expect(error?.code == .transient && error?.outcomeIsUnknown == true)
      isLate.open()
      _ = try await list
    }
  }

  @Test("A download from a silent server ends after the idle timeout")
  func silentDownload() async throws {
    var options = HTTPOptions.patient
    options.idleTimeout = .milliseconds(500)
    try await ScriptedServer.run(
      answering: { _ in
        await Gate().wait()
        return .json("{}")
      }, options: options
    ) { backend in
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      let error = await backendError {
        try await backend.download(RemoteMedia(id: "m", size: 3, type: "text/plain"), to: file)
      }
      #expect(error?.code == .transient)
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test("A download fails and leaves no file if the bytes do not have the hash that is the file's id")
  func otherFile() async throws {
    try await ScriptedServer.run(answering: { _ in
      HTTPResponse(status: 200, content: .bytes(Array("abd".utf8)))
    }) { backend in
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      // The hash of `abc`.
      let id = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      let error = await backendError {
        try await backend.download(RemoteMedia(id: id, size: 3, type: "text/plain"), to: file)
      }
      #expect(error?.code == .transient)
      #expect(!FileManager.default.fileExists(atPath: file.path))
      #expect(!FileManager.default.fileExists(atPath: "\(file.path).\(id).partial"))
    }
  }

  @Test("A cancelled call ends in CancellationError at once")
  func cancellation() async throws {
    let asked = Gate()
    try await ScriptedServer.run(answering: { _ in
      asked.open()
      await Gate().wait()
      return .json("{}")
    }) { backend in
      let call = Task { _ = try await backend.send(.example) }
      await asked.wait()
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
    }
  }

  @Test(
    "An unusable address is a permanent failure",
    arguments: ["ftp://example.org", "http:///nowhere", "chat", "mailto:alice@example.org"])
  func address(_ text: String) async throws {
    let backend = HTTPBackend(server: try #require(URL(string: text)), token: AccessToken(rawValue: "t"))
    let error = await backendError { _ = try await backend.sync(since: nil, limit: 1) }
    #expect(error?.code == .permanent)
    let push = await backendError { try await backend.run(since: nil) { _ in } }
    #expect(push?.code == .permanent)
  }
}
