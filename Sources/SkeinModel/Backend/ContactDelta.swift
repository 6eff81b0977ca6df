/// A version of a contact list. Only the backend interprets the version.
public struct ContactVersion: RawRepresentable, Hashable, Sendable, Codable {
  /// The backend's own text.
  public let rawValue: String
  /// Wraps the backend's text.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The changes of a contact list between two versions, or the whole list.
public struct ContactDelta: Sendable, Hashable {
  /// The version that the changes start from; nil for a whole list.
  public var from: ContactVersion?
  /// The version after the changes.
  public var next: ContactVersion
  /// Whether ``changed`` is the whole list; if so, all other contacts are removed.
  public var isFull: Bool
  /// The new and the changed contacts, as they are now.
  public var changed: [Contact]
  /// The removed contacts, which may include contacts that this device never received. A contact that is also
  /// in ``changed`` is not removed.
  public var removed: [Contact.ID]
  /// The epoch of the versions; nil if the server does not report epochs.
  public var epoch: Epoch?

  /// Creates a delta.
  public init(
    from: ContactVersion?, next: ContactVersion, isFull: Bool, changed: [Contact] = [],
    removed: [Contact.ID] = [], epoch: Epoch? = nil
  ) {
    self.from = from
    self.next = next
    self.isFull = isFull
    self.changed = changed
    self.removed = removed
    self.epoch = epoch
  }
}
