import Skein

/// The properties of a kind of server, as its clients see them.
struct ServerStyle: Sendable, CustomStringConvertible {
  /// The contents of the receipts that answer posts (`SendReceipt`).
  enum Receipts { case everything, noPosition, nothing }
  /// The way in which a sync returns messages.
  enum Syncs {
    /// Conversation by conversation, each with its newest messages.
    case conversations
    /// The oldest messages after the cursor, across all conversations, up to a maximum number per batch.
    case archive
  }
  /// The events of the push channel.
  enum Pushes { case pokes, batches }
  /// The quote of a reply.
  enum Quotes {
    /// The current content of the message.
    case contents
    /// Only the ids of the message.
    case names
  }
  /// The way in which paging continues, and the order within a page.
  enum Pages {
    /// By position.
    case positions
    /// By tokens, in the order of arrival.
    case arrival
    /// By tokens, nearly in the order of arrival: two consecutive messages may be swapped.
    case shuffled
  }

  let description: String
  var abilities: ServerAbilities
  var receipts = Receipts.everything
  var syncs = Syncs.conversations
  var pushes = Pushes.pokes
  var pages = Pages.positions
  var quotes = Quotes.names
  var statesUnread = true
  /// Whether a sync that omits messages states the count of all new ones.
  var statesCounts = true

  /// Numbers every message.
  static let dense = ServerStyle(
    description: "dense",
    abilities: ServerAbilities(
      idempotency: .forever, ordering: .dense, readMarks: true, media: true, rehosting: true, history: .all,
      contacts: true, settings: .all, leaving: true, actions: .all, replies: true, mentions: true,
      receipts: .all, typing: true, presence: true, pipelining: true, renewal: true),
    quotes: .contents)

  /// Orders by numbers with gaps; receipts contain only the server id.
  static let sparse = ServerStyle(
    description: "sparse",
    abilities: ServerAbilities(
      idempotency: .forever, ordering: .sparse, readMarks: true, media: true, contacts: true,
      settings: [.pinned, .markedUnread], leaving: true,
      actions: .all, replies: true, mentions: true, receipts: .all,
      typing: true, presence: true, renewal: true),
    receipts: .noPosition)

  /// Has tokens in place of positions; a sync that omits messages states no count. States that it recognizes
  /// an id for an hour; recognizes ids from the same device only.
  static let tokens = ServerStyle(
    description: "tokens",
    abilities: ServerAbilities(
      idempotency: .window(.seconds(3600)), ordering: .arrival, readMarks: true, media: true,
      echoesMessageID: .thisDevice, history: [.message, .time], reordersHistory: true, settings: .all,
      leaving: true,
      actions: .all, replies: true, mentions: true, receipts: .all, typing: true, presence: true,
      renewal: true),
    receipts: .noPosition, pushes: .batches, pages: .shuffled, statesUnread: false, statesCounts: false)

  /// Has empty receipts, recognizes no ids, and syncs from an archive.
  static let archive = ServerStyle(
    description: "archive",
    abilities: ServerAbilities(
      idempotency: .none, ordering: .arrival, readMarks: true, history: .time, leaving: true, replies: true,
      receipts: .all, typing: true, presence: true),
    receipts: .nothing,
    syncs: .archive, pushes: .batches, pages: .arrival, statesUnread: false)
}
