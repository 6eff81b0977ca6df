/// Tells senders that their messages have reached a device; see ``BackendCapabilities/deliveryReceipts``.
public protocol DeliveryBackend: Sendable {
  /// States that everything up to a cursor is on this device's disk. The senders receive that by sync. A cursor older than one
  /// stated before changes nothing.
  func markDelivered(upTo cursor: SyncCursor) async throws
}
