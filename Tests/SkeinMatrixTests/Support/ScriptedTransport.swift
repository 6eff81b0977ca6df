import Foundation
import SkeinMatrix
import SkeinModel
import SkeinTransport
import Synchronization

/// A transport that gives prepared answers, and records the requests.
final class ScriptedTransport: HTTPTransport {
  private let answer: @Sendable (TransportRequest) -> TransportAnswer
  private let log = Mutex<[TransportRequest]>([])

  init(_ answer: @escaping @Sendable (TransportRequest) -> TransportAnswer) { self.answer = answer }

  /// Always gives the same answer.
  convenience init(_ status: Int, _ body: String) {
    self.init { _ in TransportAnswer(status: status, body: Array(body.utf8)) }
  }

  /// The methods and the paths of the requests.
  var requests: [String] { log.withLock { $0.map { "\($0.method) \($0.url.path())" } } }

  func perform(_ request: TransportRequest, into sink: FileSink?) async throws -> TransportAnswer {
    log.withLock { $0.append(request) }
    return answer(request)
  }
}

extension MatrixSession {
  private static var address: URL { URL(string: "https://matrix.example.org") ?? URL(filePath: "/") }

  static let alice = MatrixSession(
    homeserver: address, user: "@alice:example.org", device: "phone",
    token: MatrixToken(rawValue: "secret token"))
}
