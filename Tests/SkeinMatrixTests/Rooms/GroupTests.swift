import Foundation
import SkeinModel
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

@Suite("Groups of a Matrix backend")
struct GroupTests {
  @Test("Every member of a new group is invited once, although the homeserver asks for a pause between")
  func invited() async throws {
    let invited = Mutex<[String]>([])
    let isCreated = Mutex(false)
    let homeserver = ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.hasSuffix("/createRoom") {
        let isFirst = isCreated.withLock { isCreated in
          defer { isCreated = true }
          return !isCreated
        }
        return isFirst ? .json(["room_id": "!new:a"]) : .refusal(400, "M_ROOM_IN_USE")
      }
      if path.contains("/directory/room/") { return .json(["room_id": "!new:a"]) }
      if path.hasSuffix("/invite"), case .bytes(let bytes)? = request.body {
        let user = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))["user_id"]?.string ?? ""
        let pauses = invited.withLock { invited in
          invited.append(invited.count == 1 ? "pause" : user)
          return invited.last == "pause"
        }
        return pauses ? .refusal(429, "M_LIMIT_EXCEEDED") : .json([:])
      }
      if path.hasSuffix("/members") {
        let users = ["@alice:example.org"] + invited.withLock { $0.filter { $0.hasPrefix("@") } }
        return .json([
          "chunk": .array(users.map { ["state_key": .string($0), "content": ["membership": "join"]] })
        ])
      }
      if path.contains("/m.room.create") { return .json(["sender": "@alice:example.org"]) }
      return request.method == "GET" ? .refusal(404, "M_NOT_FOUND") : .json([:])
    }
    let backend = MatrixBackend(
      .alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
    let request = ConversationRequest.group(
      id: "g", title: "Holiday", members: ["@bob:a", "@alice:example.org", "@carol:b", "@dave:a"])
    let error = await #expect(throws: BackendError.self) { try await backend.open(request) }
    #expect(error?.code == .rateLimited)
    #expect(try await backend.open(request).ref.rawValue == "!new:a")
    #expect(invited.withLock { $0 } == ["@bob:a", "pause", "@carol:b", "@dave:a"])
  }
}
