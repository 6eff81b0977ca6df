import Skein

extension MessageStatus {
  /// Whether the message is still to be sent.
  var isWaiting: Bool { self == .queued || self == .sending }
}
