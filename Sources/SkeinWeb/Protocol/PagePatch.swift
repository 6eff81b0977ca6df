import Skein

/// One step by which the page becomes what it should show. Steps of one frame are taken together, in their order.
struct PagePatch: Encodable, Sendable, Equatable {
  /// Parts of the page that hold nothing but what is filled in.
  enum Part: String, Encodable, Sendable {
    case connection, header, pinned, results, chooser, notice
    // Of the inspector.
    case client, outbox, chats, problems, timings, events
  }
  /// Parts of the page that are lists.
  enum List: String, Encodable, Sendable {
    case conversations, messages
  }

  private(set) var fill: Part?
  private(set) var list: List?
  private(set) var clear: Bool?
  private(set) var remove: Int?
  private(set) var insert: Int?
  private(set) var replace: Int?
  private(set) var html: String?
  /// The chat that is open from here on.
  private(set) var chat: Int64?
  /// Whether there is more before and after what is loaded.
  private(set) var reach: [Bool]?
  /// A message to scroll to.
  private(set) var reveal: Int64?
  /// What is being written: `reply` or `edit`; `restore` brings back what could not be sent, and to what message.
  private(set) var compose: String?
  private(set) var message: Int64?
  private(set) var text: String?
  private(set) var unread: Int?
  /// Whether what was last written is on disk.
  private(set) var sent: Bool?
  /// Paging that has ended, and paging that came to nothing: `older` or `newer`.
  private(set) var done: String?
  private(set) var failed: String?

  static func fill(_ part: Part, _ html: HTML) -> Self { Self(fill: part, html: html.markup) }
  static func clear(_ list: List) -> Self { Self(list: list, clear: true) }
  static func remove(_ index: Int, from list: List) -> Self { Self(list: list, remove: index) }
  static func insert(_ html: HTML, at index: Int, in list: List) -> Self {
    Self(list: list, insert: index, html: html.markup)
  }
  static func replace(_ index: Int, _ html: HTML, in list: List) -> Self {
    Self(list: list, replace: index, html: html.markup)
  }
  static func opened(_ chat: ConversationID, draft: String) -> Self { Self(chat: chat.rawValue, text: draft) }
  static func reach(older: Bool, newer: Bool) -> Self { Self(reach: [older, newer]) }
  static func reveal(_ message: LocalMessageID) -> Self { Self(reveal: message.rawValue) }
  static func compose(_ mode: String, _ message: LocalMessageID?, _ text: String) -> Self {
    Self(compose: mode, message: message?.rawValue, text: text)
  }
  static let sent = Self(sent: true)
  static func done(_ way: String) -> Self { Self(done: way) }
  static func failed(_ way: String) -> Self { Self(failed: way) }
  static func unread(_ count: Int) -> Self { Self(unread: count) }

  /// The steps of a list that become those of the page: what goes, from the end; what comes, from the start; what changed.
  static func steps(of change: ListChange, in list: List, _ html: (Int) -> HTML) -> [PagePatch] {
    (change.deletions + change.moves.map(\.from)).sorted(by: >).map { .remove($0, from: list) }
      + (change.insertions + change.moves.map(\.to)).sorted().map { .insert(html($0), at: $0, in: list) }
      + change.updates.map { .replace($0, html($0), in: list) }
  }
}
