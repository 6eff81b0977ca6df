import Skein

/// What a kind of server is like, as its clients see it.
struct ServerStyle: Sendable, CustomStringConvertible {
  /// What a receipt says.
  enum Receipts { case everything, noPosition, nothing }
  /// How a sync hands over what has happened.
  enum Syncs {
    /// Conversation by conversation, each with its newest messages.
    case conversations
    /// The archive from where it was left, a number of messages at a time.
    case archive
  }
  /// What the push channel brings.
  enum Pushes { case pokes, batches }
  /// What is handed over with a reply.
  enum Quotes {
    /// What it replies to, as that is now.
    case contents
    /// No more than the names of that.
    case names
  }
  /// The order within a page.
  enum Pages {
    /// By position.
    case positions
    /// By tokens, in the order of arrival.
    case arrival
    /// By tokens, and neighbours in another order than they arrived in.
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
  /// Whether a sync that leaves messages out says how many.
  var statesCounts = true

  /// Numbers every message.
  static let dense = ServerStyle(
    description: "dense",
    abilities: ServerAbilities(
      idempotency: .forever, ordering: .dense, readMarks: true, media: true, rehosting: true, history: .all,
      contacts: true, leaving: true, actions: .all, replies: true, mentions: true,
      receipts: .all, typing: true, presence: true, renewal: true),
    quotes: .contents)

  /// Orders by numbers with holes and jumps, which a receipt does not tell.
  static let sparse = ServerStyle(
    description: "sparse",
    abilities: ServerAbilities(
      idempotency: .forever, ordering: .sparse, readMarks: true, media: true, contacts: true, leaving: true,
      actions: .all, replies: true, mentions: true, receipts: .all,
      typing: true, presence: true, renewal: true),
    receipts: .noPosition)

  /// Has tokens in place of positions, cuts timelines short without a count, knows an id for an hour and tells it its own device alone.
  static let tokens = ServerStyle(
    description: "tokens",
    abilities: ServerAbilities(
      idempotency: .window(.seconds(3600)), ordering: .arrival, media: true, echoesMessageID: .thisDevice,
      history: [.message, .time], leaving: true, actions: .all, replies: true, mentions: true,
      typing: true, presence: true, renewal: true),
    receipts: .noPosition, pushes: .batches, pages: .shuffled, statesUnread: false, statesCounts: false)

  /// Says nothing of what it took, knows no id again, and remembers by an archive alone.
  static let archive = ServerStyle(
    description: "archive",
    abilities: ServerAbilities(
      idempotency: .none, ordering: .arrival, history: .time, leaving: true, replies: true,
      typing: true, presence: true),
    receipts: .nothing,
    syncs: .archive, pushes: .batches, pages: .arrival, statesUnread: false)
}
