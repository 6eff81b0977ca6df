/// Reports to senders that their messages have reached a device; see ``BackendCapabilities/deliveryReceipts``.
public protocol DeliveryBackend: Sendable {
  /// Reports that everything up to a cursor is stored on this device. The senders receive this by sync. A
  /// cursor older than one reported before has no effect.
  func markDelivered(upTo cursor: SyncCursor) async throws
}
