import SkeinSockets
import SkeinStorage
import SkeinWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Endpoints {
  /// `POST /v1/media/copies`
  @Sendable func copyMedia(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let request = try await call.json(Wire.CopyRequest.self)
    try Refusal.require(
      isCopyable(request.url),
      "A URL has http or https, a host, no user, no port but 80 or 443, "
        + "and at most 2048 visible ASCII characters.")
    let fetch = MediaFetch(
      allows: { [allowsLoopback = options.allowsLoopbackCopies] address in
        address.isPublic && Self.ports.contains(Int(address.port)) || allowsLoopback && address.isLoopback
      }, limit: options.limits.media, seconds: options.limits.copySeconds)
    let file = mediaFolder.temporary()
    defer { try? FileManager.default.removeItem(at: file) }
    let copy = try await copies.run(for: asker.user) { try fetch.fetch(request.url, to: file.path) }
    try await mediaFolder.adopt(file, as: copy.id)
    let row = try await database.write(.powerCut) { transaction in
      try transaction.insertMedia(copy.id, size: copy.size, type: copy.type, by: asker.user)
    }
    return .json(201, Wire.Media(row))
  }

  /// Returns whether files may be copied from a URL of this form. The addresses of the URL's host are checked
  /// later, when the server connects.
  private func isCopyable(_ url: String) -> Bool {
    guard url.utf8.count <= 2048, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme?.lowercased()),
      parts.host?.isEmpty == false, parts.user == nil, parts.password == nil
    else { return false }
    return options.allowsLoopbackCopies || parts.port.map(Self.ports.contains) != false
  }

  private static let ports = [80, 443]
}
