import Skein

extension MessageStatus {
  /// Whether the message is not sent yet and will be.
  var isWaiting: Bool { self == .queued || self == .sending }
}
