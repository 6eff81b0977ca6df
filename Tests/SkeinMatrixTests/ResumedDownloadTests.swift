import Foundation
import SkeinModel
import Testing

@testable import SkeinMatrix
@testable import SkeinTransport

@Suite("Interrupted downloads of a Matrix backend")
struct ResumedDownloadTests {
  private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  /// Downloads a file of which a part has arrived before.
  private func resume(_ homeserver: TestHomeserver) async throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let target = folder.appending(path: "picture")
    let media = RemoteMedia(id: "mxc://example.org/1", size: Int64(Self.bytes.count), type: "image/png")
    homeserver.file = Self.bytes
    let sink = try FileSink(target: target, name: MatrixBackend.partialName(of: media), size: media.size)
    try Self.bytes.prefix(50_000).withUnsafeBytes { try sink.write($0, isRest: false) }
    sink.abandon(after: BackendError(.unreachable, "The connection is lost."))
    try await homeserver.run { url in
      var session = MatrixSession.alice
      session.homeserver = url
      try await MatrixBackend(session).download(media, to: target)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(files == ["picture"])
    }
    return Array(try Data(contentsOf: target))
  }

  @Test(
    "The rest of a file is requested; it is appended, or the whole file replaces the part",
    arguments: [true, false])
  func resumed(hasRanges: Bool) async throws {
    let homeserver = TestHomeserver(hasRanges: hasRanges)
    #expect(try await resume(homeserver) == Self.bytes)
    #expect(homeserver.ranges == ["bytes=50000-"])
  }
}
