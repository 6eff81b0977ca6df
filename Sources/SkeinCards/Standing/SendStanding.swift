public import Skein

/// How one's own message stands that the server does not have yet, in the words of every surface.
public struct SendStanding: Sendable, Hashable {
  /// What it is about, by the names of `SendState`; more may come.
  public struct Name: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String
    /// Takes a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Next, or waits for its chat to be opened.
    public static let queued = Name(rawValue: "queued")
    /// Another message goes first.
    public static let behind = Name(rawValue: "behind")
    /// Nothing gets through to the server.
    public static let waitingForConnection = Name(rawValue: "waitingForConnection")
    /// The server has ended the session.
    public static let signedOut = Name(rawValue: "signedOut")
    /// The last attempt failed, and the next one follows.
    public static let waiting = Name(rawValue: "waiting")
    /// Its attachments are being uploaded.
    public static let preparing = Name(rawValue: "preparing")
    /// An attempt is under way.
    public static let posting = Name(rawValue: "posting")
    /// Others pass it, for the server failed at it again and again.
    public static let parked = Name(rawValue: "parked")
    /// Another process sends it.
    public static let elsewhere = Name(rawValue: "elsewhere")
  }

  /// Another process sends it.
  public static let elsewhere = SendStanding(.elsewhere)

  /// What it is about.
  public let name: Name
  /// What kind of message goes first, where one does.
  public private(set) var blocker: MessageKind?
  /// When it is tried next, where that is known.
  public private(set) var nextTry: Timestamp?
  /// What of its attachments is on the server, 0 to 100.
  public private(set) var percent: Int?
  /// Why the last attempt failed.
  public private(set) var reason: String?

  private init(_ name: Name) { self.name = name }

  /// Nil for a message that is not on its way.
  public init?(_ state: SendState, nextTry: Timestamp?, kindOf: (LocalMessageID) -> MessageKind?) {
    switch state {
    case .queued: name = .queued
    case .behind(let other): (name, blocker) = (.behind, kindOf(other))
    case .waitingForConnection: (name, self.nextTry) = (.waitingForConnection, nextTry)
    case .signedOut: name = .signedOut
    case .waiting(let until, let reason): (name, self.nextTry, self.reason) = (.waiting, until, reason)
    case .preparing(let fraction): (name, percent) = (.preparing, Int(fraction * 100))
    case .posting: name = .posting
    case .parked(let reason): (name, self.reason) = (.parked, reason)
    case .sent, .failed, .uncertain, .cancelled: return nil
    }
  }

  /// One line: why it waits and, where that is known, until when.
  public func text(at now: Timestamp) -> String {
    let reason = reason ?? ""
    return switch name {
    case .queued: "waits for its turn"
    case .behind: "behind \(Self.described(blocker))"
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
    // A second that has begun counts: a wait is never announced as one of none.
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
