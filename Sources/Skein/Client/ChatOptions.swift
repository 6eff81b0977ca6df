public import SkeinStorage

/// What an app may set of a client.
public struct ChatOptions: Sendable {
  /// How many messages a list loads at a time; 1 to 500.
  public var pageSize = 50
  /// The most messages a list holds, two pages or more: what goes beyond leaves it at the end that is farther from what
  /// came, and is loaded again when paging gets there.
  public var windowSize = 500
  /// How many messages of one conversation catching up fetches, 1 to 500; the rest is fetched when the reader gets there.
  public var catchUpPageSize = 50
  /// How often the client asks whether it missed a push, while the app is in the foreground: from once a second to
  /// every 15 minutes.
  public var pollInterval: Duration = .seconds(45)
  /// The most pages of 4 KiB that the database may take; nil is no limit.
  public var maximumDatabasePages: Int?
  /// What the account's database is encrypted with, where the app links SQLCipher 4 or later; elsewhere opening with a key throws
  /// `StorageError`, with the code `encryptionUnavailable`, and makes no file. Files that wait and
  /// media that was fetched are not encrypted.
  public var databaseKey: DatabaseKey?
  /// The most bytes that fetched media may take on the disk; what was asked for longest ago goes first, and is fetched again
  /// when it is asked for.
  public var mediaCacheSize: Int64 = 500 << 20
  /// The largest file, in bytes, that is fetched unasked, of kinds that want that (``MessageContent/isFetchedOnReceipt``); 0
  /// fetches none.
  public var largestFetchOnReceipt: Int64 = 5 << 20
  /// In which order the messages of a conversation go out.
  public var lanePolicy = LanePolicy.mediaLane
  /// For how long, with a connection, a message is tried that the server fails at; then it fails as `gaveUp`.
  public var giveUpAfter: Duration = .seconds(24 * 3600)
  /// Who has a say in what is sent; this is the order in which they contribute, intercept, prepare, modify and are told.
  public var sendParticipants: [any SendParticipant] = []
  /// For how long the messages of a contact that was removed, or of a group that was left, are kept; they go at the first
  /// start after that. Zero takes them away at once.
  public var keepRemovedFor: Duration = .seconds(30 * 86400)
  /// When people are told of messages, and how; see ``ChatClient/alerts``.
  public var alerts = AlertOptions()
  /// The defaults.
  public init() {}
}
