/// The state of a contact list that a diff leads to; only its backend can read it.
public struct ContactVersion: RawRepresentable, Hashable, Sendable, Codable {
  /// The backend's own text.
  public let rawValue: String
  /// Takes the backend's text as it is.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// What happened to a contact list between two versions, or all of it.
public struct ContactDelta: Sendable, Hashable {
  /// The version it goes on from; nil for a whole list.
  public var from: ContactVersion?
  /// The version it leads to.
  public var next: ContactVersion
  /// Whether ``changed`` is the whole list: what is not in it is removed.
  public var isFull: Bool
  /// Contacts that are new or have changed, as they are now.
  public var changed: [Contact]
  /// Contacts that are no more, whether or not the asker ever heard of them; one that is in ``changed`` too is there.
  public var removed: [Contact.ID]
  /// The life of the server's history that the versions belong to; nil where the server does not say.
  public var epoch: Epoch?

  /// Describes a difference.
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
