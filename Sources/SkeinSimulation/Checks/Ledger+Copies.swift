import Skein
import Synchronization

/// Forwarded copies, which have the token of their original.
extension Ledger {
  /// Notes that messages with these tokens are about to be forwarded, and may soon be shown several times.
  func forwarding(_ tokens: [String]) { state.withLock { $0.forwarded.formUnion(tokens) } }

  /// Whether other messages may have the same token: the message was forwarded, or is a copy of a picture that had no
  /// token yet.
  func sharesToken(_ token: String, _ id: MessageID) -> Bool {
    state.withLock { $0.forwarded.contains(token) || $0.copies[id] != nil }
  }

  /// Whether a message with this token was forwarded. A copy that is still to be posted can be retried after the
  /// original was cancelled.
  func wasForwarded(_ token: String) -> Bool { state.withLock { $0.forwarded.contains(token) } }

  func forwarded(_ ids: [MessageID], on device: String) {
    state.withLock { state in for id in ids { state.copies[id] = device } }
  }

  /// The copies that a device has confirmed as stored, in a fixed order.
  func copies(on device: String) -> [MessageID] {
    state.withLock { $0.copies }.filter { $0.value == device }.map(\.key).sorted { $0.rawValue < $1.rawValue }
  }

  /// Whether a message with this token is a forwarded copy.
  func isCopy(_ id: MessageID, of token: String) -> Bool {
    state.withLock { state in
      if state.copies[id] != nil { return true }
      if let original = state.originals[token] { return original != id }
      switch state.byToken[token].map({ state.entries[$0].fate }) {
      case .stored(_, let original), .cancelling(_, let original): return original != id
      default: return false
      }
    }
  }

  /// The token of a message on the server; nil if the message is a forwarded copy.
  func token(of message: IncomingMessage) -> String? {
    guard let token = Token.of(message.kind, message.payload) else { return nil }
    return message.messageID.map { isCopy($0, of: token) } == true ? nil : token
  }
}
