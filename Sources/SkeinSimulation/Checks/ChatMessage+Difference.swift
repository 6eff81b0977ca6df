import Skein

extension ChatMessage {
  /// Returns a description of the first difference from the server's message; nil if there is none.
  func difference(from message: IncomingMessage) -> String? {
    let theirs = KindRegistry.standard.content(of: .init(message))
    let users = { (reactions: [Reaction]) in Dictionary(reactions.map { ($0.key, Set($0.users)) }) { $1 } }
    if content != theirs { return "\(content.displayedText) and \(theirs.displayedText)" }
    if edited != message.edited {
      return "edited \(edited?.rawValue ?? 0) and \(message.edited?.rawValue ?? 0)"
    }
    let (shown, stored) = (flags.map(\.rawValue).sorted(), message.flags.keys.map(\.rawValue).sorted())
    if shown != stored { return "flagged \(shown) and \(stored)" }
    let (own, other) = (users(reactions), users(message.reactions ?? []))
    return own == other ? nil : "\(own) and \(other)"
  }
}

extension MergedForwardContent.Message {
  init(_ message: IncomingMessage) {
    self.init(sender: message.sender, time: message.time, kind: message.kind, payload: message.payload)
  }
}
