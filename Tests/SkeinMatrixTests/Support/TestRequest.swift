import Foundation
import SkeinMatrix
import SkeinModel
import SkeinTransport

/// A request that another Matrix client would make.
struct TestRequest {
  struct Refused: Error { let status: Int }

  private static let transport: any HTTPTransport = .system()
  private let url: URL
  private let method: String
  private let headers: [(name: String, value: String)]

  init(_ url: URL, method: String = "GET") { (self.url, self.method, headers) = (url, method, []) }

  /// A request of a session, to a path of the client-server API.
  init(_ method: String, _ session: MatrixSession, _ path: String..., query: [(String, String)] = []) {
    self.method = method
    url = path.reduce(session.homeserver.appending(path: "_matrix/client/v3")) { $0.appending(path: $1) }
      .appending(queryItems: query.map { URLQueryItem(name: $0, value: $1) })
    headers = [(name: "Authorization", value: "Bearer \(session.token.rawValue)")]
  }

  /// A request of a session, to an address.
  init(_ method: String, _ session: MatrixSession, at url: URL) {
    (self.method, self.url) = (method, url)
    headers = [(name: "Authorization", value: "Bearer \(session.token.rawValue)")]
  }

  /// Sends the request, with JSON if there is any, and throws unless the answer is a success.
  ///
  /// - Returns: the id of the event or the room that the request has made.
  @discardableResult
  func send(_ json: String? = nil) async throws -> String {
    let made = try? JSONDecoder().decode(Made.self, from: try await perform(json))
    return made?.event ?? made?.room ?? ""
  }

  /// Sends the request, and decodes the answer.
  func answer<Answer: Decodable>(to json: String? = nil, as type: Answer.Type) async throws -> Answer {
    try JSONDecoder().decode(type, from: try await perform(json))
  }

  private func perform(_ json: String?) async throws -> Data {
    let request = TransportRequest(
      method, url, headers: headers, body: json.map { .bytes(Array($0.utf8)) })
    let answer = try await Self.transport.perform(request)
    guard (200...299).contains(answer.status) else { throw Refused(status: answer.status) }
    return Data(answer.body)
  }

  private struct Made: Decodable {
    let event: String?
    let room: String?
    private enum CodingKeys: String, CodingKey { case event = "event_id", room = "room_id" }
  }
}
