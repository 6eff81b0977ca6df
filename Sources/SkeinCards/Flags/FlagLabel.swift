public import Skein

/// The words and the sign of a flag, the same on every surface.
public struct FlagLabel: Sendable, Hashable {
  /// The flag.
  public let flag: MessageFlag
  /// The sign shown at a message that has the flag.
  public let sign: String
  /// The verb for setting the flag, one word, such as *pin*.
  public let verb: String
  /// The verb for removing the flag, one word, such as *unpin*.
  public let reverse: String
  /// The adjective for a message that has the flag, one word, such as *pinned*.
  public let state: String
  /// The people who see the flag, as words that follow the verb, such as *for everyone*.
  public let purpose: String
  /// The chats that a list of flagged messages covers, such as *all chats*.
  public let scope: String

  /// The labels of all flags that users set, in the order in which they are shown.
  public static let all = [pin, star]

  /// The label of ``MessageFlag/pin``.
  public static let pin = FlagLabel(
    flag: .pin, sign: "📌", verb: "pin", reverse: "unpin", state: "pinned", purpose: "for everyone",
    scope: "the open chat")

  /// The label of ``MessageFlag/star``.
  public static let star = FlagLabel(
    flag: .star, sign: "⭐", verb: "star", reverse: "unstar", state: "starred", purpose: "for yourself",
    scope: "all chats")

  /// Returns the label of a flag; nil if the flag has none.
  public static func label(of flag: MessageFlag) -> FlagLabel? { all.first { $0.flag == flag } }
}
