import Foundation
import SkeinModel
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

@Suite("Invitations of a Matrix backend")
struct RoomInvitationTests {
  /// A sync with an invitation to a group, one to a one-to-one chat, two malformed ones, and a room that was left.
  private static let sync = #"""
    {"next_batch":"s1","rooms":{"leave":{"!left:a":{}},"invite":{
      "!group:a":{"invite_state":{"events":[
        {"type":"m.room.name","state_key":"","sender":"@bob:a","content":{"name":"Holiday"}},
        {"type":"m.room.member","state_key":"@alice:example.org","sender":"@bob:a","content":{"membership":"invite"}}
      ]}},
      "!pair:a":{"invite_state":{"events":[
        {"type":"m.room.member","state_key":"@bob:a","sender":"@bob:a","content":{"displayname":"Bob"}},
        {"type":"m.room.member","state_key":"@alice:example.org","sender":"@bob:a","content":{"is_direct":true}}
      ]}},
      "!empty:a":{},
      "!odd:a":{"invite_state":{"events":[
        {"type":"m.room.member","state_key":"@alice:example.org","sender":5,"content":{}}
      ]}}
    }}}
    """#

  /// A homeserver that answers syncs, has only the account data that was put there, and accepts everything else.
  private static func homeserver() -> ScriptedTransport {
    let stored = Mutex<[String: [UInt8]]>([:])
    return ScriptedTransport { request in
      let path = request.url.path()
      if path.hasSuffix("/sync") { return TransportAnswer(status: 200, body: Array(sync.utf8)) }
      if case .bytes(let bytes)? = request.body, request.method == "PUT" {
        stored.withLock { $0[path] = Array(bytes) }
      }
      guard request.method == "GET" else { return TransportAnswer(status: 200, body: Array("{}".utf8)) }
      if let body = stored.withLock({ $0[path] }) { return TransportAnswer(status: 200, body: body) }
      return TransportAnswer(status: 404, body: Array(#"{"errcode":"M_NOT_FOUND"}"#.utf8))
    }
  }

  private static func backend(_ homeserver: ScriptedTransport, accepts: Bool = false) -> MatrixBackend {
    var options = MatrixOptions()
    options.acceptsInvitations = accepts
    return MatrixBackend(.alice, options: options, transport: homeserver, polling: homeserver)
  }

  @Test("A sync lists invitations with title and inviter, and joins no room")
  func listed() async throws {
    let homeserver = Self.homeserver()
    let batch = try await Self.backend(homeserver).sync(since: SyncCursor(rawValue: "s0"), limit: 10)
    let bob: UserID = "@bob:a"
    #expect(
      batch.invitations == [
        ConversationInvitation(
          info: ConversationInfo(ref: ConversationRef(rawValue: "!group:a"), type: .group, title: "Holiday"),
          inviter: bob),
        ConversationInvitation(
          info: ConversationInfo(
            ref: ConversationRef(rawValue: "!pair:a"), type: .direct, peer: bob, title: "Bob"),
          inviter: bob),
      ])
    #expect(batch.left == [ConversationRef(rawValue: "!left:a")])
    #expect(!batch.hasMore && homeserver.requests.allSatisfy { $0.hasPrefix("GET") })
  }

  @Test("A backend that accepts invitations joins their rooms and lists none")
  func acceptedAtOnce() async throws {
    let homeserver = Self.homeserver()
    let batch = try await Self.backend(homeserver, accepts: true).sync(
      since: SyncCursor(rawValue: "s0"), limit: 10)
    #expect(batch.invitations.isEmpty && batch.hasMore)
    #expect(homeserver.requests.count { $0.hasSuffix("/join") } == 2)
  }

  @Test(
    "Accepting an invitation joins its room, and first lists a one-to-one chat for all clients",
    arguments: ["!group:a", "!pair:a"])
  func accepted(room: String) async throws {
    let homeserver = Self.homeserver()
    let isDirect = room == "!pair:a"
    let info = try await Self.backend(homeserver).open(.invitation(ConversationRef(rawValue: room)))
    #expect(info.type == (isDirect ? .direct : .group) && info.peer == (isDirect ? "@bob:a" : nil))
    let changes = homeserver.requests.filter { !$0.hasPrefix("GET") }.map { $0.split(separator: "/").last }
    #expect(changes == (isDirect ? ["m%2Edirect", "join"] : ["join"]))
  }

  @Test("Two one-to-one chats that are added at once are both listed")
  func addedAtOnce() async throws {
    let direct = Mutex("{}")
    let homeserver = ScriptedTransport(yields: true) { request in
      if request.method == "GET" {
        return TransportAnswer(status: 200, body: Array(direct.withLock { $0 }.utf8))
      }
      if case .bytes(let bytes)? = request.body {
        direct.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
      }
      return TransportAnswer(status: 200, body: Array("{}".utf8))
    }
    let directs = DirectRooms(Self.backend(homeserver).calls, "@alice:example.org")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["bob", "carol", "dave"] {
        group.addTask {
          try await directs.add([(ConversationRef(rawValue: "!\(name):a"), UserID(rawValue: "@\(name):a"))])
        }
      }
      try await group.waitForAll()
    }
    #expect(
      direct.withLock { $0 } == #"{"@bob:a":["!bob:a"],"@carol:a":["!carol:a"],"@dave:a":["!dave:a"]}"#)
  }

  /// A homeserver with the account data `m.direct` that refuses to join rooms.
  private static func refusing(_ status: Int, _ code: String, _ direct: DirectList) -> ScriptedTransport {
    ScriptedTransport { request in
      let path = request.url.path()
      if path.hasSuffix("/sync") { return TransportAnswer(status: 200, body: Array(sync.utf8)) }
      if path.hasSuffix("/join") { return .refusal(status, code) }
      if request.method == "GET" { return TransportAnswer(status: 200, body: Array(direct.text.utf8)) }
      if case .bytes(let bytes)? = request.body { direct.text = String(decoding: bytes, as: UTF8.self) }
      return .json([:])
    }
  }

  /// The text of the account data `m.direct`.
  private final class DirectList: Sendable {
    private let content = Mutex(#"{"@carol:a":["!other:a"]}"#)
    var text: String {
      get { content.withLock { $0 } }
      set { content.withLock { $0 = newValue } }
    }
  }

  @Test("A one-to-one chat whose room can't be joined is not listed any more")
  func refused() async throws {
    let direct = DirectList()
    let homeserver = Self.refusing(403, "M_FORBIDDEN", direct)
    let pair = ConversationRef(rawValue: "!pair:a")
    let error = await #expect(throws: BackendError.self) {
      try await Self.backend(homeserver).open(.invitation(pair))
    }
    #expect(error?.code == .permanent)
    #expect(direct.text == #"{"@carol:a":["!other:a"]}"#)
    #expect(homeserver.requests.count { $0.hasPrefix("PUT") } == 2)
  }

  @Test(
    "A backend that accepts invitations lists those that it can't accept, and the sync goes on",
    arguments: [(403, "M_FORBIDDEN"), (404, "M_UNKNOWN"), (400, "M_UNKNOWN"), (502, "M_UNKNOWN")])
  func unacceptable(status: Int, code: String) async throws {
    let direct = DirectList()
    let backend = Self.backend(Self.refusing(status, code, direct), accepts: true)
    if status == 502 {
      // The next attempts may succeed. The failures of both rooms are counted.
      for _ in 1...7 {
        let error = await #expect(throws: BackendError.self) { try await backend.sync(since: nil, limit: 10) }
        #expect(error?.code == .transient)
      }
    }
    let batch = try await backend.sync(since: nil, limit: 10)
    #expect(batch.invitations.map(\.info.ref.rawValue) == ["!group:a", "!pair:a"] && !batch.hasMore)
    #expect(direct.text.contains("!pair:a") == (status == 502))
  }

  @Test("A sync goes on if the homeserver refuses a longer list of one-to-one chats")
  func fullList() async throws {
    let homeserver = Self.homeserver()
    let full = ScriptedTransport { request in
      request.url.path().hasSuffix("m%2Edirect") && request.method == "PUT"
        ? .refusal(413, "M_TOO_LARGE") : try homeserver.prepared(for: request)
    }
    let batch = try await Self.backend(full, accepts: true).sync(since: SyncCursor(rawValue: "s0"), limit: 10)
    #expect(batch.invitations.isEmpty && batch.hasMore)
    #expect(full.requests.count { $0.hasSuffix("/join") } == 2)
  }

  @Test("Declining an invitation leaves its room")
  func declined() async throws {
    let homeserver = Self.homeserver()
    try await Self.backend(homeserver).leave(ConversationRef(rawValue: "!group:a"))
    let changes = homeserver.requests.filter { !$0.hasPrefix("GET") }
    #expect(changes.map { $0.split(separator: "/").last } == ["leave"])
  }
}
