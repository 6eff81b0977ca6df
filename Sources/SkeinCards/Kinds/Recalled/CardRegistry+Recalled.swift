import Skein

extension CardRegistry {
  /// Draws what is left of a message that was taken back: a line that says by whom.
  mutating func registerRecalled() {
    register(RecalledContent.self) { recalled, message in
      let isOwn = message.isOwn && message.sender == recalled.by
      return [NoticeComponent("\(isOwn ? "You" : recalled.by.rawValue) took a message back", id: "recalled")]
    }
  }
}
