/// Holds what a screen shows against what the server has.
struct DemoComparison: Sendable {
  let history: [DemoWitness.Message]

  /// Whether the list is the server's newest messages: each of them, in order, none twice, with the same content.
  ///
  /// - Returns: nil, or the first thing that is not so.
  func difference(to screen: DemoScreen) -> String? {
    if screen.hasGap { return "the list has a gap in it" }
    let shown = screen.messages
    if shown.isEmpty != history.isEmpty { return "the list shows nothing" }
    if screen.twice > 0 { return "the list shows \(screen.twice) messages twice" }
    guard shown.count <= history.count else {
      return "the list shows \(shown.count) messages, the server has \(history.count)"
    }
    let newest = history.suffix(shown.count)
    for (index, (entry, message)) in zip(shown, newest).enumerated() where !isSame(entry, message) {
      return
        "entry \(index + 1) of \(shown.count) is not the server's: \(entry.text ?? "") (\(entry.status ?? ""))"
    }
    return nil
  }

  /// Whether the server has these ids, each once, in this order, with or without others between.
  func hasInOrder(_ ids: [String]) -> Bool {
    let wanted = Set(ids)
    return history.map(\.id).filter(wanted.contains) == ids
  }

  private func isSame(_ entry: EventRecord, _ message: DemoWitness.Message) -> Bool {
    entry.messageID == message.id && entry.sender == message.sender && entry.kind == message.kind
      && entry.status == "sent" && message.content.contains(Self.quoted(entry))
  }

  /// What must stand in the content's JSON: the words of a text, the name of a place, the id of a picture.
  private static func quoted(_ entry: EventRecord) -> String {
    switch entry.kind {
    case "text": "\"\(entry.text ?? "")\""
    case "location": "\"\(entry.content?.name ?? "")\""
    default: "\"\(entry.content?.media ?? "")\""
    }
  }
}
