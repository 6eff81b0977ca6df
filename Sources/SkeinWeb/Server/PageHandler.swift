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
      return await file(of: attachment, for: request)
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
      await session.handle(request)
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
}

extension HTTPResponse {
  /// What is said of everything that the page gets: nothing runs but its own script, and nothing leaves it.
  static func headers(_ type: String) -> [HTTPHeaders.Field] {
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

  static func page(_ bytes: [UInt8], _ type: String) -> Self {
    HTTPResponse(status: 200, headers: HTTPHeaders(headers(type)), content: .bytes(bytes))
  }

  static func text(_ status: Int, _ text: String) -> Self {
    HTTPResponse(
      status: status, headers: HTTPHeaders(headers("text/plain; charset=utf-8")),
      content: .bytes(Array(text.utf8)))
  }
}
