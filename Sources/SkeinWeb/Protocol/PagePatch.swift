import Skein

/// One step of changing the page. The page applies the steps of a frame together, in order.
enum PagePatch: Sendable, Equatable {
  /// An element of the page that is filled as a whole.
  enum Part: String, Encodable, Sendable {
    case connection, header, invitation, pinned, results, chooser, menu, notice
    // Parts of the inspector.
    case client, outbox, chats, problems, timings, events
  }
  /// An element of the page that is a list.
  enum List: String, Encodable, Sendable {
    case conversations, messages
  }
  /// A change of the composer.
  enum Composition: Sendable, Equatable {
    case reply(to: LocalMessageID, quote: String)
    case edit(LocalMessageID, text: String)
    /// Brings back a text that could not be sent.
    case restore(text: String)
  }

  case fill(Part, HTML)
  case clear(List)
  case remove(Int, from: List)
  case insert(HTML, at: Int, in: List)
  case replace(Int, HTML, in: List)
  /// The page shows this chat from now on.
  case opened(ConversationID, draft: String)
  /// Whether the message list can grow at each end.
  case reach(older: Bool, newer: Bool)
  /// Scrolls to a message.
  case reveal(LocalMessageID)
  case compose(Composition)
  /// The number of unread messages in all chats.
  case unread(Int)
  /// The text that was sent last is on disk.
  case sent
  /// Fetching in a direction has succeeded or was cancelled.
  case fetched(PageDirection)
  /// Fetching in a direction has failed.
  case fetchFailed(PageDirection)

  /// The changes of a list as steps: removals from the end, insertions from the start, then updates.
  static func steps(of change: ListChange, in list: List, _ html: (Int) -> HTML) -> [PagePatch] {
    (change.deletions + change.moves.map(\.from)).sorted(by: >).map { .remove($0, from: list) }
      + (change.insertions + change.moves.map(\.to)).sorted().map { .insert(html($0), at: $0, in: list) }
      + change.updates.map { .replace($0, html($0), in: list) }
  }
}

extension PagePatch: Encodable {
  private enum Key: String, CodingKey {
    case fill, list, clear, remove, insert, replace, html, chat, text, reach, reveal, compose, message, unread
    case sent, done, failed
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .fill(let part, let html):
      try values.encode(part, forKey: .fill)
      try values.encode(html.markup, forKey: .html)
    case .clear(let list):
      try values.encode(list, forKey: .list)
      try values.encode(true, forKey: .clear)
    case .remove(let index, let list):
      try values.encode(list, forKey: .list)
      try values.encode(index, forKey: .remove)
    case .insert(let html, let index, let list):
      try values.encode(list, forKey: .list)
      try values.encode(index, forKey: .insert)
      try values.encode(html.markup, forKey: .html)
    case .replace(let index, let html, let list):
      try values.encode(list, forKey: .list)
      try values.encode(index, forKey: .replace)
      try values.encode(html.markup, forKey: .html)
    case .opened(let chat, let draft):
      try values.encode(chat.rawValue, forKey: .chat)
      try values.encode(draft, forKey: .text)
    case .reach(let older, let newer): try values.encode([older, newer], forKey: .reach)
    case .reveal(let message): try values.encode(message.rawValue, forKey: .reveal)
    case .compose(let composition):
      try values.encode(composition.name, forKey: .compose)
      try values.encodeIfPresent(composition.message?.rawValue, forKey: .message)
      try values.encode(composition.text, forKey: .text)
    case .unread(let count): try values.encode(count, forKey: .unread)
    case .sent: try values.encode(true, forKey: .sent)
    case .fetched(let direction): try values.encode(direction, forKey: .done)
    case .fetchFailed(let direction): try values.encode(direction, forKey: .failed)
    }
  }
}

extension PagePatch.Composition {
  fileprivate var name: String {
    switch self {
    case .reply: "reply"
    case .edit: "edit"
    case .restore: "restore"
    }
  }

  fileprivate var message: LocalMessageID? {
    switch self {
    case .reply(let message, _), .edit(let message, _): message
    case .restore: nil
    }
  }

  fileprivate var text: String {
    switch self {
    case .reply(_, let text), .edit(_, let text), .restore(let text): text
    }
  }
}
