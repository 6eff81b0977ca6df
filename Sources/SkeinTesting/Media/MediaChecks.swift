#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel
import Synchronization

extension BackendCheck {
  /// Files.
  static let media: [BackendCheck] = [
    BackendCheck(
      .media, "A downloaded file equals the uploaded one and replaces an existing file", needs: [.media],
      upAndDown),
    BackendCheck(
      .media, "An upload reports at most the file's size as sent", needs: [.media], progress),
    BackendCheck(
      .media, "An error thrown by the reporter ends the upload and is rethrown", needs: [.media],
      reporterThrows),
    BackendCheck(.media, "An interrupted upload continues from its token", needs: [.media], resumed),
    BackendCheck(
      .media, "An upload with an unknown token starts from the beginning", needs: [.media], unknownToken),
    BackendCheck(
      .media, "The file of a message can be downloaded by the receivers", needs: [.media], fileOfAMessage),
    BackendCheck(
      .media, "The download of a missing file is refused permanently and leaves no file", needs: [.media],
      noFile),
    BackendCheck(
      .media, "A copied file of another server can be downloaded by the account that requested the copy",
      needs: [.media, .rehosting, .hostingFiles], rehosted),
  ]

  private static func upAndDown(_ stage: Stage) async throws {
    let alice = try await stage.device()
    for size in [0, 1, 3000, 300_000] {
      let source = try stage.file(size: size)
      let media = try await alice.upload(source) { _ in }
      try expect(media.size, is: Int64(size), "The size of the uploaded file")
      try expect(media.type, is: source.type, "The type of the uploaded file")
      let target = try stage.folder().appending(path: "down")
      try Data("an older file".utf8).write(to: target)
      try await alice.download(media, to: target)
      try expect(
        try Data(contentsOf: target) == Data(contentsOf: source.file), "A file of \(size) bytes differs.")
    }
  }

  private static func progress(_ stage: Stage) async throws {
    let alice = try await stage.device()
    let source = try stage.file(size: 200_000)
    let reports = Mutex<[UploadProgress]>([])
    _ = try await alice.upload(source) { report in reports.withLock { $0.append(report) } }
    for report in reports.withLock({ $0 }) {
      try expect(report.total, is: 200_000, "The reported total")
      try expect((0...200_000).contains(report.sent), "\(report.sent) of 200000 bytes are reported as sent.")
    }
  }

  private struct ReporterError: Error {}

  private static func reporterThrows(_ stage: Stage) async throws {
    let alice = try await stage.device()
    let source = try stage.file(size: 200_000)
    let isAsked = Mutex(false)
    do {
      _ = try await alice.upload(source) { _ in
        isAsked.withLock { $0 = true }
        throw ReporterError()
      }
      if isAsked.withLock({ $0 }) { throw CheckEnd.failed("The upload continued.") }
      throw CheckEnd.skipped("The backend reports no progress of uploads.")
    } catch is ReporterError {}
  }

  private static func resumed(_ stage: Stage) async throws {
    let alice = try await stage.device()
    let source = try stage.file(size: 3_000_000)
    let cut = Mutex<UploadProgress?>(nil)
    do {
      _ = try await alice.upload(source) { report in
        if report.token != nil { cut.withLock { $0 = report } }
        if report.token != nil, report.sent > 0 { throw ReporterError() }
      }
    } catch is ReporterError {}
    guard let last = cut.withLock({ $0 }), let token = last.token else {
      throw CheckEnd.skipped("The backend reports no token of an upload.")
    }
    let first = Mutex<Int64?>(nil)
    let media = try await alice.upload(source, resuming: token) { report in
      first.withLock { $0 = $0 ?? report.sent }
    }
    if let first = first.withLock({ $0 }) {
      try expect(first >= last.sent, "It continued at \(first), after \(last.sent) sent bytes.")
    }
    let target = try stage.folder().appending(path: "down")
    try await alice.download(media, to: target)
    try expect(try Data(contentsOf: target) == Data(contentsOf: source.file), "The downloaded file differs.")
  }

  private static func unknownToken(_ stage: Stage) async throws {
    let alice = try await stage.device()
    let source = try stage.file(size: 5000)
    let media = try await alice.upload(source, resuming: UploadToken(rawValue: "unknown")) { _ in }
    let target = try stage.folder().appending(path: "down")
    try await alice.download(media, to: target)
    try expect(try Data(contentsOf: target) == Data(contentsOf: source.file), "The downloaded file differs.")
  }

  private static func fileOfAMessage(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let source = try stage.file(size: 5000)
    let media = try await alice.upload(source) { _ in }
    let content = FileContent(.remote(media), name: "notes")
    try await alice.send(try alice.message(in: chat, content, kind: FileContent.kind))
    _ = try await bob.catchUp()
    let target = try stage.folder().appending(path: "down")
    try await bob.download(media, to: target)
    try expect(try Data(contentsOf: target) == Data(contentsOf: source.file), "The downloaded file differs.")
  }

  private static func noFile(_ stage: Stage) async throws {
    let alice = try await stage.device()
    var media = try await alice.upload(try stage.file(size: 10)) { _ in }
    media.id = String(media.id.reversed()) + stage.word("x")
    let target = try stage.folder().appending(path: "down")
    let missing = media
    let error = try await stage.error(of: "The download of a missing file") {
      try await alice.download(missing, to: target)
    }
    try expect(error.code, is: .permanent, "The code of the refusal")
    let left = try FileManager.default.contentsOfDirectory(atPath: target.deletingLastPathComponent().path)
    try expect(left.filter { $0.contains("down") }, is: [], "The files that the download left")
  }
}

extension BackendCheck {
  private static func rehosted(_ stage: Stage) async throws {
    let alice = try await stage.device()
    // The file begins as a PNG file does, since some servers copy only pictures. Unique bytes follow.
    let bytes = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(stage.word("picture").utf8)
    let url = try await stage.hostFile(bytes, type: "image/png")
    stage.step = "\(alice.user)'s rehosting"
    let media = try await alice.backend.require(\.rehosting).rehost(url)
    try expect(media.size, is: Int64(bytes.count), "The size of the copy")
    try expect(media.type, is: "image/png", "The type of the copy")
    let target = try stage.folder().appending(path: "down")
    try await alice.download(media, to: target)
    try expect(try Data(contentsOf: target) == bytes, "The copy differs.")
  }
}

extension Stage {
  /// Makes a file with a random first byte, which determines all other bytes.
  fileprivate func file(size: Int) throws -> UploadSource {
    let url = try folder().appending(path: word("file"))
    let start = UInt8.random(in: .min ... .max)
    let bytes = Data((0..<size).map { start &+ UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
    try bytes.write(to: url)
    return UploadSource(file: url, type: "text/plain", contents: bytes)
  }
}

extension Device {
  fileprivate func upload(
    _ source: UploadSource, resuming token: UploadToken? = nil, report: UploadReporter
  ) async throws -> RemoteMedia {
    stage.step = "\(user)'s upload"
    return try await backend.require(\.media).upload(source, resuming: token, report: report)
  }

  fileprivate func download(_ media: RemoteMedia, to file: URL) async throws {
    stage.step = "\(user)'s download"
    try await backend.require(\.media).download(media, to: file)
  }
}
