public import Skein

/// The words and the sign of a flag, the same on every surface.
public struct FlagLabel: Sendable, Hashable {
  /// The flag.
  public let flag: MessageFlag
  /// Stands at a message that has it.
  public let sign: String
  /// Sets it, as in *pin*; one word.
  public let verb: String
  /// Removes it, as in *unpin*; one word.
  public let reverse: String
  /// Describes a message that has it, as in *pinned*; one word.
  public let state: String
  /// Completes the verb: the people who see it.
  public let purpose: String
  /// The place whose messages a list of it contains.
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

  /// The label of a flag; nil for one without a label.
  public static func label(of flag: MessageFlag) -> FlagLabel? { all.first { $0.flag == flag } }
}
