public import SkeinStorage

/// The settings of a client.
public struct ChatOptions: Sendable {
  /// The number of messages that a list loads at a time; 1 to 500.
  public var pageSize = 50
  /// The maximum number of messages in a list; at least two pages. When messages are added at one end, excess
  /// messages are dropped at the other end, and are loaded again when the list is extended at that end.
  public var windowSize = 500
  /// The maximum number of messages that one answer to a sync contains for each conversation, from 1 to 500.
  /// The answer contains the newest messages. Older missed messages stay a gap, which the app fills
  /// by ``ChatContext/fill(_:)``, or by extending the list.
  public var catchUpPageSize = 50
  /// The interval at which the client checks for missed pushes, while the app is in the foreground: from one second to
  /// 15 minutes.
  public var pollInterval: Duration = .seconds(45)
  /// The maximum size of the database, in pages of 4 KiB; nil is no limit.
  public var maximumDatabasePages: Int?
  /// The key that encrypts the account's database; nil for no encryption. With a key, the app must link
  /// SQLCipher 4 or later. If SQLCipher is not linked, opening with a key throws `StorageError` with the code
  /// `encryptionUnavailable`, and creates no file. Fetched media and files waiting to be sent are not
  /// encrypted.
  public var databaseKey: DatabaseKey?
  /// The maximum size of fetched media on the disk, in bytes; the least recently requested files are removed first, and
  /// fetched again when requested.
  public var mediaCacheSize: Int64 = 500 << 20
  /// The maximum size, in bytes, of a file that is fetched automatically; 0 fetches no file automatically.
  /// Only files of kinds that request this (``MessageContent/isFetchedOnReceipt``) are fetched automatically.
  public var largestFetchOnReceipt: Int64 = 5 << 20
  /// The order in which the messages of a conversation are sent.
  public var lanePolicy = LanePolicy.mediaLane
  /// How long a message or an action is retried while there is a connection but the server fails. After that
  /// time, a message that may have arrived becomes uncertain. Any other message fails with the code `gaveUp`.
  /// An action is undone.
  public var giveUpAfter: Duration = .seconds(24 * 3600)
  /// The participants in sending, in the order in which they contribute, intercept, prepare, modify and are notified.
  public var sendParticipants: [any SendParticipant] = []
  /// How long messages are kept after their contact was removed or their group was left. After that time, the
  /// messages are removed when a newly started client has caught up. Zero removes the messages at once.
  public var keepRemovedFor: Duration = .seconds(30 * 86400)
  /// When alerts make a sound or vibrate; see ``ChatClient/alerts``.
  public var alerts = AlertOptions()
  /// Receives the database's connections when the client is closed, for the next client on the same folder.
  package var connections: ConnectionShelf?
  /// The defaults.
  public init() {}
}
