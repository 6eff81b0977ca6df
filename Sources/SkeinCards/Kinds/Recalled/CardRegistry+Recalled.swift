import Skein

extension CardRegistry {
  /// Shows a recalled message as a notice with the name of the user who recalled it.
  mutating func registerRecalled() {
    register(RecalledContent.self) { recalled, message in
      let isOwn = message.isOwn && message.sender == recalled.by
      return [NoticeComponent("\(isOwn ? "You" : recalled.by.rawValue) recalled a message", id: "recalled")]
    }
  }
}
