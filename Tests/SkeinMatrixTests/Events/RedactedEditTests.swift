import Foundation
import SkeinModel
import SkeinTransport
import Testing

@testable import SkeinMatrix

/// A message that is edited, and whose edit is redacted then: a redacted event no longer says that it was an edit.
@Suite("Redacted edits of a Matrix backend")
struct RedactedEditTests {
  private static let room = ConversationRef(rawValue: "!r:a")

  private static func event(_ id: String, _ type: String, _ content: JSONValue, time: Int64) -> JSONValue {
    [
      "event_id": .string(id), "type": .string(type), "sender": "@bob:a", "origin_server_ts": .integer(time),
      "content": content,
    ]
  }

  private static let message = event("$1", "m.room.message", ["msgtype": "m.text", "body": "old"], time: 1)
  private static let edit = event(
    "$2", "m.room.message",
    [
      "msgtype": "m.text", "body": "* new", "m.new_content": ["msgtype": "m.text", "body": "new"],
      "m.relates_to": ["rel_type": "m.replace", "event_id": "$1"],
    ], time: 2)
  private static let redaction = event("$3", "m.room.redaction", ["redacts": "$2"], time: 3)
  private static var redactedEdit: JSONValue {
    var event = event("$2", "m.room.message", [:], time: 2)
    event["unsigned"] = ["redacted_because": redaction]
    return event
  }

  /// A homeserver that reports the edit in the sync from `s0` or in the page of `p`, and its redaction in the one from `s1`.
  private static let homeserver = ScriptedTransport { request in
    let path = request.url.path(percentEncoded: false)
    let address = request.url.absoluteString
    if path.hasSuffix("/sync") {
      let events = address.contains("since=s0") ? [message, edit] : [redaction]
      return .json([
        "next_batch": "s1", "rooms": ["join": ["!r:a": ["timeline": ["events": .array(events)]]]],
      ])
    }
    if path.hasSuffix("/messages") {
      let last = address.contains("from=p") ? edit : redactedEdit
      return .json(["start": "t", "chunk": [last, message]])
    }
    if path.contains("/event/$1") { return .json(message) }
    if path.contains("/event/$2") { return .json(redactedEdit) }
    return .refusal(404, "M_NOT_FOUND")
  }

  private static func backend() -> MatrixBackend {
    MatrixBackend(.alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
  }

  @Test("A received edit is applied, although the homeserver returns the message without it")
  func notBundled() async throws {
    let homeserver = ScriptedTransport { request in
      let path = request.url.path(percentEncoded: false)
      if path.hasSuffix("/sync") {
        return .json([
          "next_batch": "s1", "rooms": ["join": ["!r:a": ["timeline": ["events": [Self.edit]]]]],
        ])
      }
      return path.contains("/event/$1") ? .json(Self.message) : .refusal(404, "M_NOT_FOUND")
    }
    let backend = MatrixBackend(
      .alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
    let batch = try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 10)
    let message = try #require(batch.conversations.first?.revised.first)
    #expect(message.payload == Data(#"{"text":"new"}"#.utf8))
    #expect(message.revision == 2 && message.edited == Timestamp(milliseconds: 2))
  }

  @Test(
    "The redaction of an edit changes the message back, and is no recalled message", arguments: [true, false])
  func redacted(isOfSync: Bool) async throws {
    let backend = Self.backend()
    if isOfSync {
      _ = try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 10)
    } else {
      let token = HistoryToken(rawValue: "back !r:a p")
      _ = try await backend.history(of: Self.room, at: .token(token), limit: 10)
    }
    let delta = try #require(
      try await backend.sync(since: SyncCursor(rawValue: "s1"), limit: 10).conversations.first)
    #expect(delta.messages.isEmpty && delta.revised.map(\.serverID?.rawValue) == ["$1"])
    let message = try #require(delta.revised.first)
    #expect(message.revision == 3 && message.payload == Data(#"{"text":"old"}"#.utf8))
    let page = try await backend.history(of: Self.room, at: .newest, limit: 10)
    #expect(page.messages.map(\.serverID?.rawValue) == ["$1"])
  }
}
