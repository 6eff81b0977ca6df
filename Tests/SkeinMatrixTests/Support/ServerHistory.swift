import Foundation
import Skein
import SkeinMatrix
import SkeinModel

/// The messages of a room as they are now, in the order of the homeserver, read by plain requests.
struct ServerHistory: Sendable {
  /// A message, for comparison with other lists.
  struct Entry: Sendable, Hashable, CustomStringConvertible {
    let id: String
    let sender: String
    /// The text; nil if the message is recalled.
    let text: String?
    /// The reactions with their users, sorted.
    let reactions: [String]

    var description: String { "\(text ?? "recalled") \(reactions)" }
  }

  let entries: [Entry]

  /// Reads a room from its end to its beginning.
  init(of room: ConversationRef, by session: MatrixSession) async throws {
    var (events, from): ([Event], String?) = ([], nil)
    repeat {
      let query = [("dir", "b"), ("limit", "500")] + (from.map { [("from", $0)] } ?? [])
      let page = try await TestRequest("GET", session, "rooms", room.rawValue, "messages", query: query)
        .answer(as: Page.self)
      events += page.chunk
      from = page.end
    } while from != nil
    events.reverse()
    var reactions: [String: Set<String>] = [:]
    var edits: [String: Event] = [:]
    for event in events {
      guard let relation = event.content.relation, let target = relation.event else { continue }
      switch relation.type {
      case "m.annotation": reactions[target, default: []].insert("\(relation.key ?? "") \(event.sender)")
      case "m.replace":
        if let edit = edits[target], (edit.time, edit.id) > (event.time, event.id) { continue }
        edits[target] = event
      default: continue
      }
    }
    entries = events.filter { $0.type == "m.room.message" && $0.content.relation?.type != "m.replace" }
      .map { event in
        let body = edits[event.id]?.content.new?.body ?? event.content.body
        return Entry(
          id: event.id, sender: event.sender, text: event.isRedacted ? nil : body,
          reactions: event.isRedacted ? [] : (reactions[event.id] ?? []).sorted())
      }
  }

  private struct Page: Decodable {
    let chunk: [Event]
    let end: String?
  }

  private struct Event: Decodable {
    let id: String
    let type: String
    let sender: String
    let time: Int64
    let content: Content
    private let unsigned: Unsigned?
    var isRedacted: Bool { unsigned?.redaction != nil }
    private enum CodingKeys: String, CodingKey {
      case id = "event_id", type, sender, time = "origin_server_ts", content, unsigned
    }
  }

  private struct Unsigned: Decodable {
    struct Redaction: Decodable {}
    let redaction: Redaction?
    private enum CodingKeys: String, CodingKey { case redaction = "redacted_because" }
  }

  private struct Content: Decodable {
    struct New: Decodable { let body: String? }
    struct Relation: Decodable {
      let type: String?
      let event: String?
      let key: String?
      private enum CodingKeys: String, CodingKey { case type = "rel_type", event = "event_id", key }
    }
    let body: String?
    let new: New?
    let relation: Relation?
    private enum CodingKeys: String, CodingKey { case body, new = "m.new_content", relation = "m.relates_to" }
  }
}

extension ServerHistory {
  /// Waits until a list has the same messages in the same order, and returns them.
  func reach(_ context: ChatContext) async throws -> [ChatMessage] {
    do {
      return try await context.messages { $0.map(Entry.init) == entries }
    } catch {
      let shown = context.messages.compactMap(\.message).map(Entry.init)
      throw Unfinished(description: "The list differs from the server: \(shown.difference(from: entries))")
    }
  }
}

extension ServerHistory.Entry {
  /// Describes a message of an engine.
  init(_ message: ChatMessage) {
    self.init(
      id: message.serverID?.rawValue ?? "", sender: message.sender.rawValue,
      text: message.isRecalled ? nil : message.content.displayedText,
      reactions: message.reactions.flatMap { reaction in
        reaction.users.map { "\(reaction.key.rawValue) \($0.rawValue)" }
      }.sorted())
  }
}
