import SkeinStorage
import SkeinWire

extension StoredMessage {
  /// The kind of every recalled message; this kind replaces the original kind.
  static let recalledKind = "recalled"

  /// The server id. It consists of conversation and position, so the table needs no column for it.
  private var serverID: Wire.ServerID { Wire.ServerID(rawValue: "\(conversation.wire).\(position)") }

  /// Returns the position in a server id; throws a 404 if the conversation has no such message.
  static func position(of name: String, in conversation: ConversationID, head: Int64) throws -> Int64 {
    let start = "\(conversation.wire)."
    guard name.hasPrefix(start), let position = Int64(name.dropFirst(start.count)),
      (1...max(head, 1)).contains(position),
      head > 0
    else { throw Refusal.notFound }
    return position
  }

  /// The reactions; nil if there are none.
  var wireReactions: [Wire.Reaction]? {
    reactions.flatMap { try? Wire.decode([Wire.Reaction].self, from: Array($0.utf8)) }
  }

  /// Returns the receipt for the sender.
  func receipt(in epoch: Wire.Epoch) -> Wire.MessageReceipt {
    Wire.MessageReceipt(id: id, serverID: serverID, position: position, time: time, epoch: epoch)
  }

  fileprivate func wire(_ star: StoredStar?, quote: Wire.Quote?) -> Wire.Message {
    var flags: [String: Int64] = [:]
    flags[Revising.pin] = pinned
    flags[Revising.star] = star?.time
    return Wire.Message(
      id: id, serverID: serverID, conversation: conversation.wire, position: position, sender: sender,
      time: time, kind: kind, content: content,
      parameters: parameters.flatMap { try? Wire.decode([String: String].self, from: Array($0.utf8)) } ?? [:],
      revision: revision + (star?.revision ?? 0), edited: edited, reactions: wireReactions, flags: flags,
      quote: quote,
      mentions: mentions.flatMap { try? Wire.decode(Wire.Mentions.self, from: Array($0.utf8)) },
      isCountable: isCountable)
  }

  /// Returns the message as it is quoted in a reply: without kind and content if the content is longer than 2,000
  /// bytes.
  fileprivate func quote(_ star: StoredStar?) -> Wire.Quote {
    let isShort = content.utf8.count <= 2_000
    return Wire.Quote(
      id: id, serverID: serverID, sender: sender, kind: isShort ? kind : nil,
      content: isShort ? content : nil, revision: revision + (star?.revision ?? 0))
  }
}

extension ReadTransaction {
  /// Returns messages in their wire form, as a user sees them. A reply contains a quote of the message that
  /// it replies to.
  func wire(_ rows: some Sequence<StoredMessage>, for user: Wire.UserID) throws -> [Wire.Message] {
    try rows.map { row in
      // A recalled reply keeps no quote, just as it keeps no content.
      let star = try star(on: row, by: user)
      guard row.kind != StoredMessage.recalledKind else { return row.wire(star, quote: nil) }
      let target = try row.replyTo.flatMap { try find(StoredMessage.self, row.conversation, $0) }
      return row.wire(star, quote: try target.map { $0.quote(try self.star(on: $0, by: user)) })
    }
  }

  /// Returns the history page of a range as a user sees it, shortened to the budget.
  func page(
    _ range: HistoryRange, of conversation: ConversationID, for user: Wire.UserID, budget: Int
  ) throws -> Wire.HistoryPage {
    let rows = try messages(of: conversation, from: range.first, to: range.last)
    let kept = range.kept(sizes: rows.map(\.size), budget: budget)
    return Wire.HistoryPage(
      messages: try wire(rows[kept], for: user), reachesStart: range.reachesStart(dropped: kept.lowerBound),
      reachesEnd: range.reachesEnd(end: kept.upperBound))
  }
}
