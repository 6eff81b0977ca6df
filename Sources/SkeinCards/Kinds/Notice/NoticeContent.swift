public import Skein

/// A notice of the system to all members of a chat, such as "carol has joined".
public struct NoticeContent: MessageContent {
  /// `notice`.
  public static let kind: MessageKind = "notice"
  /// Notices are not counted as unread.
  public static let isCountable = false
  /// The notice.
  public var text: String

  /// Makes a notice.
  public init(_ text: String) { self.text = text }

  /// The notice.
  public var displayedText: String { text }
}
