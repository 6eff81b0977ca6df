import Foundation
import Skein
import SkeinCards
import SkeinSockets

/// Answers what pages ask for.
struct PageHandler: SocketServerHandler {
  /// In bytes.
  static let largestUpload = 1 << 30

  let client: ChatClient
  let cards: CardRegistry
  let secret: String
  let uploads: URL
  let log: InspectorLog
  let files = ServedFiles()

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    guard let place = place(of: request) else { return .text(404, "There is nothing here.") }
    switch (request.method, place) {
    case ("GET", ""), ("HEAD", ""): return .page(PackageResources.page_html, "text/html; charset=utf-8")
    case ("GET", "page.js"): return .page(PackageResources.page_js, "text/javascript; charset=utf-8")
    case ("GET", "icon.svg"): return .page(PackageResources.icon_svg, "image/svg+xml")
    case ("GET", "page.css"): return .page(PackageResources.page_css, "text/css; charset=utf-8")
    case ("GET", "inspector"): return .page(PackageResources.inspector_html, "text/html; charset=utf-8")
    case ("GET", "inspector.js"):
      return .page(PackageResources.inspector_js, "text/javascript; charset=utf-8")
    case ("GET", "inspector.css"): return .page(PackageResources.inspector_css, "text/css; charset=utf-8")
    case ("GET", let place) where place.hasPrefix("file/"):
      guard let number = Int(place.dropFirst(5)), let attachment = await attachment(number) else {
        return .text(404, "No such file.")
      }
      return await file(of: attachment)
    case ("POST", "upload"):
      guard isOfPage(request) else { return .text(403, "Only the page itself may send files.") }
      return await upload(request)
    default: return .text(404, "There is nothing here.")
    }
  }

  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async {
    switch (isOfPage(request), place(of: request)) {
    case (true, "socket"): await servePage(socket)
    case (true, "inspector-socket"): await serveInspector(socket)
    default: await socket.close(code: .policyViolation, reason: "Only the page itself may connect.")
    }
  }

  private func servePage(_ socket: any WebSocketConnection) async {
    let session = WebSession(client, registry: cards, files: files, log: log)
    await session.start()
    await exchange(socket, sending: session.patches) { message in
      guard let request = try? JSONDecoder().decode(PageRequest.self, from: Data(message.bytes)) else {
        return
      }
      await session.take(request)
    }
    await session.end()
  }

  private func serveInspector(_ socket: any WebSocketConnection) async {
    let session = InspectorSession(client, log: log)
    await session.start()
    await exchange(socket, sending: session.patches) { _ in }
    await session.end()
  }

  /// Sends what there is to see, and takes what comes, until either ends.
  private func exchange(
    _ socket: any WebSocketConnection, sending patches: AsyncStream<[PagePatch]>,
    _ take: @escaping @Sendable (WebSocketMessage) async -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        let encoder = JSONEncoder()
        for await patches in patches {
          guard let frame = try? encoder.encode(patches) else { continue }
          do { try await socket.send(WebSocketMessage(text: String(decoding: frame, as: UTF8.self))) } catch {
            return
          }
        }
      }
      group.addTask {
        while let message = try? await socket.receive() { await take(message) }
      }
      await group.next()
      group.cancelAll()
    }
  }

  // MARK: Who asks

  /// What is asked for, of whoever knows the secret and calls this machine by its own name.
  private func place(of request: HTTPRequest) -> String? {
    // A name that leads here from elsewhere is not ours: a page could have itself resolved to this machine.
    let host = request.headers["Host"]?.split(separator: ":").first
    guard host == "127.0.0.1" || host == "localhost" else { return nil }
    let prefix = "/\(secret)/"
    guard request.path.hasPrefix(prefix) else { return nil }
    return String(request.path.dropFirst(prefix.count))
  }

  /// Whether it comes from the page, and not from another one in the browser.
  private func isOfPage(_ request: HTTPRequest) -> Bool {
    guard let origin = request.headers["Origin"], let host = request.headers["Host"] else { return false }
    return origin == "http://\(host)"
  }

  // MARK: Files

  /// What a browser may show; anything else is saved, for it could run as a page.
  private static let shown: Set<String> = [
    "image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm", "video/quicktime",
    "audio/mpeg", "audio/mp4", "audio/ogg", "audio/wav", "audio/flac",
  ]

  /// What a number stands for now. The engine's copy of a file goes when its message was sent; the row that names the server's
  /// is drawn a moment later, and is waited for.
  private func attachment(_ number: Int) async -> MessageAttachment? {
    for _ in 0..<100 {
      guard case .local(let file)? = files[number], !FileManager.default.fileExists(atPath: file.url.path)
      else { break }
      guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { break }
    }
    return files[number]
  }

  private func file(of attachment: MessageAttachment) async -> HTTPResponse {
    do {
      let (file, type) =
        switch attachment {
        case .remote(let media): (try await client.file(for: media), media.type)
        case .local(let local): (local.url, local.type)
        case .thirdParty: throw CocoaError(.fileNoSuchFile)
        }
      let isShown = Self.shown.contains(type)
      return HTTPResponse(
        status: 200,
        headers: HTTPHeaders(
          Self.headers(isShown ? type : "application/octet-stream")
            + (isShown ? [] : [("Content-Disposition", "attachment")])),
        content: .file(file))
    } catch {
      return .text(502, "The file could not be fetched.")
    }
  }

  private func upload(_ request: HTTPRequest) async -> HTTPResponse {
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

  fileprivate static func headers(_ type: String) -> [HTTPHeaders.Field] {
    [
      ("Content-Type", type), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Cache-Control", "no-store"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      (
        "Content-Security-Policy",
        """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; \
        form-action 'none'; base-uri 'none'; frame-ancestors 'none'
        """
      ),
    ]
  }
}

extension HTTPResponse {
  fileprivate static func page(_ bytes: [UInt8], _ type: String) -> Self {
    HTTPResponse(status: 200, headers: HTTPHeaders(PageHandler.headers(type)), content: .bytes(bytes))
  }

  fileprivate static func text(_ status: Int, _ text: String) -> Self {
    HTTPResponse(
      status: status, headers: HTTPHeaders(PageHandler.headers("text/plain; charset=utf-8")),
      content: .bytes(Array(text.utf8)))
  }
}
