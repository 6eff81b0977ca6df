/// Compares a screen with the server's history.
struct DemoComparison: Sendable {
  let history: [DemoWitness.Message]

  /// Compares the list with the server's newest messages, as many as the list has. The list must have each of
  /// these messages once, in order, with the same content, and no gap.
  ///
  /// - Returns: The first difference, or nil.
  func difference(to screen: DemoScreen) -> String? {
    if screen.hasGap { return "the list has a gap in it" }
    let shown = screen.messages
    if shown.isEmpty != history.isEmpty { return "the list shows nothing" }
    if screen.twice > 0 { return "the list shows \(screen.twice) messages twice" }
    guard shown.count <= history.count else {
      return "the list shows \(shown.count) messages, the server has \(history.count)"
    }
    return difference(of: shown, from: history.count - shown.count)
  }

  /// Finds the list in the server's history. The list must be a contiguous part of the history: each message
  /// once, with the same content. The list need not end with the newest message.
  ///
  /// - Throws: ``DemoFailure`` with the first difference.
  func stretch(of screen: DemoScreen) throws -> Range<Int> {
    let shown = screen.messages
    guard !screen.hasGap, let start = history.firstIndex(where: { $0.id == shown.first?.messageID }) else {
      throw DemoFailure("the list has a gap in it, or begins with a message that the server does not have")
    }
    if let difference = difference(of: shown, from: start) { throw DemoFailure(difference) }
    return start..<start + shown.count
  }

  private func difference(of shown: [MessageRecord], from start: Int) -> String? {
    guard start + shown.count <= history.count else {
      return "the list continues after the server's last message"
    }
    for (index, (entry, message)) in zip(shown, history[start...]).enumerated()
    where !isSame(entry, message) {
      return
        "entry \(index + 1) of \(shown.count) is not the server's: \(entry.text) (\(entry.status))"
    }
    return nil
  }

  /// Whether the server has each of these ids once, in this order. There may be other ids between them.
  func hasInOrder(_ ids: [String]) -> Bool {
    let wanted = Set(ids)
    return history.map(\.id).filter(wanted.contains) == ids
  }

  private func isSame(_ entry: MessageRecord, _ message: DemoWitness.Message) -> Bool {
    entry.messageID == message.id && entry.sender == message.sender && entry.time == message.time
      && entry.kind == message.kind && entry.status == .sent && message.content.contains(Self.quoted(entry))
  }

  /// The part that the content's JSON must have: a text, the name of a place, or the id of an uploaded file.
  private static func quoted(_ entry: MessageRecord) -> String {
    switch entry.kind {
    case "text": "\"\(entry.text)\""
    case "location": "\"\(entry.content?.name ?? "")\""
    default: "\"\(entry.content?.media ?? "")\""
    }
  }
}
