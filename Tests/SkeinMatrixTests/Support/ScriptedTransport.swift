import Foundation
import SkeinMatrix
import SkeinModel
import SkeinTransport
import Synchronization

/// A transport that gives prepared answers or errors, and records the requests.
final class ScriptedTransport: HTTPTransport {
  private let answer: @Sendable (TransportRequest) throws -> TransportAnswer
  private let log = Mutex<[TransportRequest]>([])
  /// Whether an answer arrives only after other tasks have run.
  private let yields: Bool

  init(
    yields: Bool = false, _ answer: @escaping @Sendable (TransportRequest) throws -> TransportAnswer
  ) {
    self.answer = answer
    self.yields = yields
  }

  /// Always gives the same answer.
  convenience init(_ status: Int, _ body: String) {
    self.init { _ in TransportAnswer(status: status, body: Array(body.utf8)) }
  }

  /// The methods and the paths of the requests.
  var requests: [String] { log.withLock { $0.map { "\($0.method) \($0.url.path())" } } }

  /// The answer to a request, which is not recorded.
  func prepared(for request: TransportRequest) throws -> TransportAnswer { try answer(request) }

  func perform(_ request: TransportRequest, into sink: FileSink?) async throws -> TransportAnswer {
    log.withLock { $0.append(request) }
    let prepared = try answer(request)
    // Other requests are answered before the caller continues.
    if yields { for _ in 0..<100 { await Task.yield() } }
    return prepared
  }
}

extension MatrixSession {
  private static var address: URL { URL(string: "https://matrix.example.org") ?? URL(filePath: "/") }

  static let alice = MatrixSession(
    homeserver: address, user: "@alice:example.org", device: "phone",
    token: MatrixToken(rawValue: "secret token"))
}
