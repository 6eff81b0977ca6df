public import Skein

/// A line that the system says to everybody in a chat, as that somebody has joined it.
public struct NoticeContent: MessageContent {
  /// `notice`.
  public static let kind: MessageKind = "notice"
  /// Nobody has to read it: it is not counted as unread.
  public static let isCountable = false
  /// What is said.
  public var text: String

  /// Says something.
  public init(_ text: String) { self.text = text }

  /// What is said.
  public var displayedText: String { text }
}
