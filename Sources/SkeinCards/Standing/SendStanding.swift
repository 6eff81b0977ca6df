public import Skein

/// The state of an own message that has not reached the server, worded for users.
public struct SendStanding: Sendable, Hashable {
  /// The state's name: the name of a case of `SendState`, or `elsewhere`. Later versions may add names.
  public struct Name: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String
    /// Makes a state from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Next in its lane, or waiting for an earlier action, the opening of its chat or the client's start.
    public static let queued = Name(rawValue: "queued")
    /// Waiting for another message.
    public static let blocked = Name(rawValue: "blocked")
    /// The server is not reachable.
    public static let waitingForConnection = Name(rawValue: "waitingForConnection")
    /// The session has ended.
    public static let signedOut = Name(rawValue: "signedOut")
    /// The last attempt failed; another attempt follows.
    public static let waiting = Name(rawValue: "waiting")
    /// Uploading attachments, or being prepared by a `SendParticipant`.
    public static let preparing = Name(rawValue: "preparing")
    /// Being posted.
    public static let posting = Name(rawValue: "posting")
    /// Set aside after repeated failures; other messages overtake the message.
    public static let parked = Name(rawValue: "parked")
    /// Another process sends the account's messages.
    public static let elsewhere = Name(rawValue: "elsewhere")
  }

  /// The wording of ``Name/elsewhere``.
  public static let elsewhere = SendStanding(.elsewhere)

  /// The state.
  public let name: Name
  /// The kind of the message that must be sent or prepared first, if known.
  public private(set) var blocker: MessageKind?
  /// The time of the next attempt, if known.
  public private(set) var nextTry: Timestamp?
  /// The uploaded part of the attachments in percent, 0 to 100; nil in every state but `preparing`.
  public private(set) var percent: Int?
  /// The reason of the last failure, if known.
  public private(set) var reason: FailureReason?

  private init(_ name: Name) { self.name = name }

  /// Makes the wording of a state; nil if the message is sent, failed, uncertain or cancelled.
  public init?(_ state: SendState, nextTry: Timestamp?, kindOf: (LocalMessageID) -> MessageKind?) {
    switch state {
    case .queued: name = .queued
    case .blocked(let other): (name, blocker) = (.blocked, kindOf(other))
    case .waitingForConnection: (name, self.nextTry) = (.waitingForConnection, nextTry)
    case .signedOut: name = .signedOut
    case .waiting(let until, let reason): (name, self.nextTry, self.reason) = (.waiting, until, reason)
    case .preparing(let fraction): (name, percent) = (.preparing, Int(fraction * 100))
    case .posting: name = .posting
    case .parked(let reason): (name, self.reason) = (.parked, reason)
    case .sent, .failed, .uncertain, .cancelled: return nil
    }
  }

  /// Returns one line for the user: the state, the time until the next attempt, and the reason of the
  /// failure. The line leaves out the parts that the state does not have.
  public func text(at now: Timestamp) -> String {
    let reason = reason?.message ?? ""
    return switch name {
    case .queued: "waits for its turn"
    case .blocked: "behind \(Self.described(blocker))"
    case .waitingForConnection: "no connection, \(next(now))"
    case .signedOut: "signed out"
    case .waiting: "\(next(now)): \(reason)"
    case .preparing: "↑ \(percent ?? 0) %"
    case .posting: "is being sent"
    case .parked: "parked: \(reason)"
    case .elsewhere: "another process sends it"
    default: ""
    }
  }

  private func next(_ now: Timestamp) -> String {
    guard let nextTry, nextTry > now else { return "trying again" }
    // Rounded up, so that a wait is never shown as 0 s.
    let seconds = (nextTry.rawValue - now.rawValue + 999) / 1000
    return "next try in " + (seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min")
  }

  private static func described(_ kind: MessageKind?) -> String {
    switch kind {
    case ImageContent.kind: "a picture"
    case VideoContent.kind: "a video"
    case AudioContent.kind: "a recording"
    case FileContent.kind: "a file"
    case LocationContent.kind: "a place"
    default: "a message"
    }
  }
}
