import Foundation
import Skein
import SkeinSockets

/// Serves the files of messages.
struct PageDownloads: Sendable {
  /// The types that a browser shows. Files of all other types are saved, since they could run as a page.
  private static let shown: Set<String> = [
    "image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm", "video/quicktime",
    "audio/mpeg", "audio/mp4", "audio/ogg", "audio/wav", "audio/flac",
  ]

  let client: ChatClient
  let files: ServedFiles

  func file(_ number: Int, for request: HTTPRequest) async -> HTTPResponse {
    guard let attachment = await attachment(number) else { return .text(404, "No such file.") }
    do {
      return try await file(of: attachment, for: request)
    } catch {
      return .text(502, "The file could not be fetched.")
    }
  }

  /// The attachment with this number. When a message is sent, the engine removes its local copy of the file,
  /// shortly before the row is drawn again with the server's file. Between these two moments, the lookup
  /// waits up to two seconds for the new row.
  private func attachment(_ number: Int) async -> MessageAttachment? {
    for _ in 0..<100 {
      guard case .local(let file)? = files[number], !FileManager.default.fileExists(atPath: file.url.path)
      else { break }
      guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { break }
    }
    return files[number]
  }

  private func file(of attachment: MessageAttachment, for request: HTTPRequest) async throws -> HTTPResponse {
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
  }
}
