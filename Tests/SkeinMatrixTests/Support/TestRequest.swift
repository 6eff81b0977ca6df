import Foundation
import SkeinMatrix
import SkeinModel
import SkeinTransport

/// A request that another Matrix client would make.
struct TestRequest {
  struct Refused: Error { let status: Int }

  private let url: URL
  private let method: String
  private let headers: [(name: String, value: String)]

  init(_ url: URL) { (self.url, method, headers) = (url, "GET", []) }

  /// A request of a session, to a path of the client-server API.
  init(_ method: String, _ session: MatrixSession, _ path: String...) {
    self.method = method
    url = path.reduce(session.homeserver.appending(path: "_matrix/client/v3")) { $0.appending(path: $1) }
    headers = [(name: "Authorization", value: "Bearer \(session.token.rawValue)")]
  }

  /// Sends the request, with JSON if there is any, and throws unless the answer is a success.
  ///
  /// - Returns: the id of the event or the room that the request has made.
  @discardableResult
  func send(_ json: String? = nil) async throws -> String {
    let request = TransportRequest(
      method, url, headers: headers, body: json.map { .bytes(Array($0.utf8)) })
    let transport: any HTTPTransport = .system()
    let answer = try await transport.perform(request)
    guard (200...299).contains(answer.status) else { throw Refused(status: answer.status) }
    let made = try? JSONDecoder().decode(Made.self, from: Data(answer.body))
    return made?.event ?? made?.room ?? ""
  }

  private struct Made: Decodable {
    let event: String?
    let room: String?
    private enum CodingKeys: String, CodingKey { case event = "event_id", room = "room_id" }
  }
}
