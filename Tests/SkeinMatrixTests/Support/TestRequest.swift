import Foundation
import SkeinTransport

/// A request that another Matrix client would make.
struct TestRequest {
  struct Refused: Error { let status: Int }

  var method = "GET"
  var headers: [(String, String)] = []
  private let url: URL

  init(_ url: URL) { self.url = url }

  /// Sends JSON, and throws unless the answer is a success.
  func send(_ body: [String: String]) async throws {
    let json = try JSONEncoder().encode(body)
    let request = TransportRequest(
      method, url, headers: headers.map { (name: $0.0, value: $0.1) }, body: .bytes(Array(json)))
    let transport: any HTTPTransport = .system()
    let answer = try await transport.perform(request)
    guard (200...299).contains(answer.status) else { throw Refused(status: answer.status) }
  }
}
