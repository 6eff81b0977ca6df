import Foundation
import Skein
import SkeinCards
import SkeinSockets

/// Answers the requests that reach the front end's address.
struct PageHandler: SocketServerHandler {
  private let access: PageAccess
  private let downloads: PageDownloads
  private let uploads: PageUploads
  private let sockets: PageSockets

  init(client: ChatClient, cards: CardRegistry, secret: String, uploads: URL, log: InspectorLog) {
    let files = ServedFiles()
    access = PageAccess(secret: secret)
    downloads = PageDownloads(client: client, files: files)
    self.uploads = PageUploads(client: client, folder: uploads)
    sockets = PageSockets(client: client, cards: cards, files: files, log: log)
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    guard let place = access.place(of: request) else { return .notFound }
    switch (request.method, place) {
    case ("GET", ""), ("HEAD", ""): return .page(PackageResources.page_html, "text/html; charset=utf-8")
    case ("GET", "page.js"): return .page(PackageResources.page_js, "text/javascript; charset=utf-8")
    case ("GET", "menu.js"): return .page(PackageResources.menu_js, "text/javascript; charset=utf-8")
    case ("GET", "icon.svg"): return .page(PackageResources.icon_svg, "image/svg+xml")
    case ("GET", "page.css"): return .page(PackageResources.page_css, "text/css; charset=utf-8")
    case ("GET", "inspector"): return .page(PackageResources.inspector_html, "text/html; charset=utf-8")
    case ("GET", "inspector.js"):
      return .page(PackageResources.inspector_js, "text/javascript; charset=utf-8")
    case ("GET", "inspector.css"): return .page(PackageResources.inspector_css, "text/css; charset=utf-8")
    case ("GET", let place) where place.hasPrefix("file/"):
      guard let number = Int(place.dropFirst(5)) else { return .text(404, "No such file.") }
      return await downloads.file(number, for: request)
    case ("POST", "upload"):
      guard access.isFromPage(request) else { return .text(403, "Only the page itself may send files.") }
      return await uploads.receive(request)
    default: return .notFound
    }
  }

  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async {
    switch (access.isFromPage(request), access.place(of: request)) {
    case (true, "socket"): await sockets.servePage(socket)
    case (true, "inspector-socket"): await sockets.serveInspector(socket)
    default: await socket.close(code: .policyViolation, reason: "Only the page itself may connect.")
    }
  }
}
