public import Foundation
public import Skein
public import SkeinCards
import SkeinSockets

#if os(Linux)
  /// A web page for one account, served on this machine to this machine: the engine runs in the process, the page is its view.
  ///
  /// Its address holds a secret: whoever does not know it, such as another page in the same browser, gets nothing. The page
  /// loads nothing from anywhere else and runs no script but its own. `inspector` below the address shows what the engine knows.
  ///
  /// ```swift
  /// let page = try await WebFrontEnd.start(client, cards: .standard, uploads: folder)
  /// print("Open \(page.address)")
  /// ```
  public final class WebFrontEnd: Sendable {
    /// Where the page is.
    public let address: URL
    private let server: SocketServer
    private let log: InspectorLog

    private init(_ server: SocketServer, _ log: InspectorLog, address: URL) {
      self.server = server
      self.log = log
      self.address = address
    }

    /// Serves the page until ``stop()``.
    ///
    /// - Parameters:
    ///   - client: opened and started by the caller, who closes it after the page was stopped.
    ///   - cards: who draws which kinds; components that are no ``HTMLComponent`` show their text.
    ///   - port: 0 takes a free one.
    ///   - uploads: a folder for files on their way from the page into a message; it is made where there is none.
    /// - Throws: an error that says so where the port can't be had or the folder can't be made.
    public static func start(
      _ client: ChatClient, cards: CardRegistry = .standard, port: Int = 0, uploads: URL
    ) async throws -> WebFrontEnd {
      try FileManager.default.createDirectory(at: uploads, withIntermediateDirectories: true)
      PageUploads.removeAbandoned(in: uploads)
      var random = SystemRandomNumberGenerator()
      let secret = String(random.next(), radix: 36) + String(random.next(), radix: 36)
      var options = SocketServerOptions()
      options.port = port
      options.maximumBodySize = PageUploads.largest
      let log = InspectorLog(client)
      let handler = PageHandler(client: client, cards: cards, secret: secret, uploads: uploads, log: log)
      let server = try await SocketServer.start(options, handler: handler)
      guard let address = URL(string: "http://127.0.0.1:\(server.port)/\(secret)/") else {
        throw CocoaError(.featureUnsupported)
      }
      log.start()
      return WebFrontEnd(server, log, address: address)
    }

    /// Closes every page.
    public func stop() async {
      log.stop()
      await server.stop()
    }
  }
#endif
