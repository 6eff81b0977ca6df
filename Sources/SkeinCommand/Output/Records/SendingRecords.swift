import Skein
import SkeinCards

// Records about sending. Absent fields are nil; times are in milliseconds since 1970.

/// A message is on disk.
struct StoredRecord: Codable, Equatable, Sendable {
  /// The message's local id.
  var id: Int64
  var messageID: String
}

/// The state of an unsent message.
struct StandingRecord: Codable, Equatable, Sendable {
  /// The names in `SendStanding.Name`.
  enum State: String, Codable, Sendable {
    case queued, blocked, waitingForConnection, signedOut, waiting, preparing, posting, parked, elsewhere
  }
  /// The message's local id.
  var id: Int64
  var messageID: String
  var state: State
  /// Why the last attempt failed.
  var reason: String?
  /// The uploaded part of the message's attachments in percent, 0 to 100.
  var percent: Int?
  /// The time of the next attempt.
  var until: Int64?
  /// The kind of the message that must be sent first.
  var blocker: String?
  /// The state in words, as a person sees it.
  var note: String
  /// The name of the message's chat; present only in `waiting`.
  var name: String?
  /// The content as plain text; present only in `waiting`.
  var text: String?
}

extension StandingRecord {
  /// Makes the record of a state; nil for a state that is not in ``State``.
  init?(_ message: ChatMessage, _ standing: SendStanding, at now: Timestamp) {
    guard let state = State(rawValue: standing.name.rawValue) else { return nil }
    self.init(
      id: message.id.rawValue, messageID: message.messageID.rawValue, state: state,
      reason: standing.reason?.message, percent: standing.percent, until: standing.nextTry?.rawValue,
      blocker: standing.blocker?.rawValue, note: standing.line(at: now))
  }

  init?(_ waiting: WaitingMessage, at now: Timestamp) {
    self.init(waiting.message, waiting.standing, at: now)
    (name, text) = (waiting.chat, waiting.message.content.displayedText)
  }
}

/// The outcome of a cancellation.
struct CancelledRecord: Codable, Equatable, Sendable {
  enum State: String, Codable, Sendable {
    case cancelled, tooLate, unknown

    init(_ outcome: CancelOutcome) {
      switch outcome {
      case .cancelled: self = .cancelled
      case .tooLate: self = .tooLate
      case .unknown: self = .unknown
      }
    }
  }
  /// The message's local id.
  var id: Int64
  var messageID: String
  var state: State
}

/// The delivery stage and the readers of this account's last sent message.
struct ReceiptRecord: Codable, Equatable, Sendable {
  enum State: String, Codable, Sendable {
    case sent, delivered, read

    init(_ stage: Receipts.Stage) {
      switch stage {
      case .sent: self = .sent
      case .delivered: self = .delivered
      case .read: self = .read
      }
    }
  }
  /// The message's local id.
  var id: Int64
  var messageID: String
  var state: State
  var readers: [String]
}
