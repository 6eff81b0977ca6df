/// Fetches the account's contact list; see ``BackendCapabilities/contacts``.
public protocol ContactBackend: Sendable {
  /// Fetches the changes of the contact list since a version, or the whole list.
  ///
  /// The server returns the whole list if it can't continue from the version.
  ///
  /// - Parameter version: the version of the stored list; nil requests the whole list.
  func contacts(since version: ContactVersion?) async throws -> ContactDelta
}
