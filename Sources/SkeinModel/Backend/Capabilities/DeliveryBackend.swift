/// Reports to senders that their messages have reached a device; see ``BackendCapabilities/deliveryReceipts``.
public protocol DeliveryBackend: Sendable {
  /// Reports that everything up to a cursor is stored on this device. The senders receive this report by
  /// sync. A cursor has no effect if a newer cursor was reported before.
  func markDelivered(upTo cursor: SyncCursor) async throws
}
