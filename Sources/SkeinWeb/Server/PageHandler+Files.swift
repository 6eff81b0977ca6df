import Foundation
import Skein
import SkeinSockets

/// The files of messages: to look at, to save, and to send.
extension PageHandler {
  /// What a browser may show; anything else is saved, for it could run as a page.
  private static let shown: Set<String> = [
    "image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm", "video/quicktime",
    "audio/mpeg", "audio/mp4", "audio/ogg", "audio/wav", "audio/flac",
  ]

  /// What a number stands for now. The engine's copy of a file goes when its message was sent; the row that names the server's
  /// is drawn a moment later, and is waited for.
  func attachment(_ number: Int) async -> MessageAttachment? {
    for _ in 0..<100 {
      guard case .local(let file)? = files[number], !FileManager.default.fileExists(atPath: file.url.path)
      else { break }
      guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { break }
    }
    return files[number]
  }

  func file(of attachment: MessageAttachment, for request: HTTPRequest) async -> HTTPResponse {
    do {
      let (file, type) =
        switch attachment {
        case .remote(let media): (try await client.file(for: media), media.type)
        case .local(let local): (local.url, local.type)
        case .thirdParty: throw CocoaError(.fileNoSuchFile)
        }
      let isShown = Self.shown.contains(type)
      let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? UInt64
      let headers =
        HTTPResponse.headers(isShown ? type : "application/octet-stream")
        + (isShown ? [] : [("Content-Disposition", "attachment")])
      return .file(file, size: Int64(clamping: size ?? 0), for: request, headers: HTTPHeaders(headers))
    } catch {
      return .text(502, "The file could not be fetched.")
    }
  }

  func upload(_ request: HTTPRequest) async -> HTTPResponse {
    guard let chat = request.parameter("chat").flatMap({ Int64($0) }) else {
      return .text(400, "No chat is named.")
    }
    let folder = uploads.appending(
      path: Self.uploadPrefix + UUID().uuidString, directoryHint: .isDirectory)
    let file = folder.appending(path: Self.fileName(request.parameter("name") ?? ""))
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: file)
      let handle = try FileHandle(forWritingTo: file)
      defer { try? handle.close() }
      for try await chunk in request.body { try handle.write(contentsOf: chunk) }
      try handle.synchronize()
      // The engine has a copy of its own once the message is stored.
      try await client.send(MediaFile.content(of: file), to: ConversationID(rawValue: chat))
      return .text(204, "")
    } catch {
      return .text(
        500, "The file could not be sent: \((error as? ChatError)?.message ?? "it did not arrive whole.")")
    }
  }

  private static let uploadPrefix = "skein-upload-"

  /// Removes what a program that was killed has left there a day ago or earlier; it belongs to no message.
  static func clearUploads(in folder: URL) {
    let manager = FileManager.default
    for name in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? []
    where name.hasPrefix(uploadPrefix) {
      let path = folder.appending(path: name).path
      let time = (try? manager.attributesOfItem(atPath: path)[.modificationDate]) as? Date
      if let time, time.timeIntervalSinceNow < -24 * 3600 { try? manager.removeItem(atPath: path) }
    }
  }

  /// A name for a file, from what a page calls it.
  private static func fileName(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    var safe = String.UnicodeScalarView(
      last.unicodeScalars.filter { $0.properties.generalCategory != .control })
    while safe.count > 100 || String(safe).utf8.count > 200 { safe.removeFirst() }
    return safe.isEmpty || safe.allSatisfy { $0 == "." } ? "file" : String(safe)
  }
}
