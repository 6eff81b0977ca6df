/// Stores the account's contact list; see ``BackendCapabilities/contacts``.
public protocol ContactBackend: Sendable {
  /// Fetches the changes of the contact list since a version, or the whole list.
  ///
  /// A version that the server can't continue from is answered with the whole list.
  ///
  /// - Parameter version: the version of the stored list; nil asks for the whole list.
  func contacts(since version: ContactVersion?) async throws -> ContactDelta
}
