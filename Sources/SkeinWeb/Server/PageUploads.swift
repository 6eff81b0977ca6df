import Foundation
import Skein
import SkeinSockets

/// Receives files from the page, and sends each file as a message.
struct PageUploads: Sendable {
  /// The largest size of a file in bytes.
  static let largest = 1 << 30
  private static let prefix = "skein-upload-"

  let client: ChatClient
  let folder: URL

  func receive(_ request: HTTPRequest) async -> HTTPResponse {
    guard let chat = request.parameter("chat").flatMap({ Int64($0) }) else {
      return .text(400, "The request names no chat.")
    }
    let folder = folder.appending(path: Self.prefix + UUID().uuidString, directoryHint: .isDirectory)
    let file = folder.appending(path: Self.fileName(request.parameter("name") ?? ""))
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: file)
      let handle = try FileHandle(forWritingTo: file)
      defer { try? handle.close() }
      for try await chunk in request.body { try handle.write(contentsOf: chunk) }
      try handle.synchronize()
      // The engine has its own copy once the message is stored.
      try await client.send(MediaFile.content(of: file), to: ConversationID(rawValue: chat))
      return .text(204, "")
    } catch {
      let reason = (error as? ChatError)?.message ?? "it did not arrive completely."
      return .text(500, "The file could not be sent: \(reason)")
    }
  }

  /// Removes uploads that a killed process has left behind, if they are more than a day old. No message
  /// refers to these files.
  static func removeAbandoned(in folder: URL) {
    let manager = FileManager.default
    for name in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? [] where name.hasPrefix(prefix) {
      let path = folder.appending(path: name).path
      let time = (try? manager.attributesOfItem(atPath: path)[.modificationDate]) as? Date
      if let time, time.timeIntervalSinceNow < -24 * 3600 { try? manager.removeItem(atPath: path) }
    }
  }

  /// A safe file name made from the name that the page gives.
  private static func fileName(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    var safe = String.UnicodeScalarView(
      last.unicodeScalars.filter { $0.properties.generalCategory != .control })
    while safe.count > 100 || String(safe).utf8.count > 200 { safe.removeFirst() }
    return safe.isEmpty || safe.allSatisfy { $0 == "." } ? "file" : String(safe)
  }
}
