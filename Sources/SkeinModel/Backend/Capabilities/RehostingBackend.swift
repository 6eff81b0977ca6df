#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Copies files from other servers to the media server; see ``BackendCapabilities/rehosting``.
public protocol RehostingBackend: Sendable {
  /// Asks the media server to make its own copy of a file on another server.
  func rehost(_ url: URL) async throws -> RemoteMedia
}
