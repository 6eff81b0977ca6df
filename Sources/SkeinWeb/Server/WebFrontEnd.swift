public import Foundation
public import Skein
public import SkeinCards
import SkeinSockets

#if os(Linux)
  /// A web page for one account, served on the loopback interface. The engine runs in this process.
  ///
  /// The page's address contains a secret. Requests without the secret, such as those of another page in the
  /// same browser, are refused. The page loads nothing from elsewhere and runs no script but its own. The
  /// path `inspector` below the address shows the engine's state.
  ///
  /// ```swift
  /// let page = try await WebFrontEnd.start(client, cards: .standard, uploads: folder)
  /// print("Open \(page.address)")
  /// ```
  public final class WebFrontEnd: Sendable {
    /// The address of the page.
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
    ///   - client: A client that the caller has opened and started, and closes after ``stop()``.
    ///   - cards: The plugins that draw cards. A component that is not an ``HTMLComponent`` shows its text.
    ///   - port: The port to listen on; 0 chooses a free port.
    ///   - uploads: A folder for files on their way from the page into a message. It is created if it does not exist.
    /// - Throws: An error if the port is taken or the folder can't be created.
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

    /// Disconnects every page and stops listening.
    public func stop() async {
      log.stop()
      await server.stop()
    }
  }
#endif
