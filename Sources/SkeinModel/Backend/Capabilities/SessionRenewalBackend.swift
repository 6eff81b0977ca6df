/// Renews a session without the user, for example with a refresh token; see ``BackendCapabilities/renewal``.
public protocol SessionRenewalBackend: Sendable {
  /// Renews the session after a call threw ``BackendError/Code/unauthorized``. Concurrent rejected calls
  /// share one renewal.
  ///
  /// After the renewal, the engine repeats each rejected call. Sends and uploads are repeated in the next
  /// attempt to send the message, and the push channel is opened again.
  ///
  /// - Throws: ``BackendError`` with ``BackendError/Code/unauthorized`` if the user has to sign in again, or with
  ///   another code if a later attempt may succeed. ``BackendError/Code/permanent`` and
  ///   ``BackendError/Code/unsupported`` count as `unauthorized`.
  func renewSession() async throws
}
