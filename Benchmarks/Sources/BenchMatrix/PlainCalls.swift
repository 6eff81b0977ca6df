import Foundation
import Skein
import SkeinMatrix
import SkeinTransport

/// Calls of one device without an engine, by the transport that the backend uses.
struct PlainCalls: Sendable {
  private let session: MatrixSession
  private let transport = SystemTransport()

  init(_ session: MatrixSession) { self.session = session }

  /// Sends a message with the content that Skein gives a text.
  func send(_ text: String, to room: ConversationRef) async throws {
    let id = UUID().uuidString.lowercased()
    let body = #"{"body":"\#(text)","io.skein.message":{"id":"\#(id)","kind":"text"},"msgtype":"m.text"}"#
    _ = try await call("PUT", ["rooms", room.rawValue, "send", "m.room.message", id], body: body)
  }

  /// Polls for news until the task is cancelled, as every client does.
  func poll() async throws {
    struct Answer: Decodable { let next_batch: String }
    var query = [URLQueryItem(name: "timeout", value: "0")]
    while !Task.isCancelled {
      let next = try JSONDecoder().decode(Answer.self, from: try await call("GET", ["sync"], query))
        .next_batch
      query = [URLQueryItem(name: "timeout", value: "25000"), URLQueryItem(name: "since", value: next)]
    }
  }

  /// The texts of a room and the users that sent them, in the homeserver's order.
  func history(of room: ConversationRef) async throws -> [(sender: String, text: String, id: String?)] {
    struct Page: Decodable {
      struct Event: Decodable {
        struct Content: Decodable {
          struct Fields: Decodable { let id: String? }
          let body: String?
          let fields: Fields?
          enum CodingKeys: String, CodingKey { case body, fields = "io.skein.message" }
        }
        let type: String
        let sender: String
        let content: Content
      }
      let chunk: [Event]
      let end: String?
    }
    var events: [Page.Event] = []
    var from: String?
    repeat {
      var query = [URLQueryItem(name: "dir", value: "b"), URLQueryItem(name: "limit", value: "500")]
      if let from { query.append(URLQueryItem(name: "from", value: from)) }
      let answer = try await call("GET", ["rooms", room.rawValue, "messages"], query)
      let page = try JSONDecoder().decode(Page.self, from: answer)
      events += page.chunk
      from = page.end
    } while from != nil
    return events.reversed().filter { $0.type == "m.room.message" }.map {
      ($0.sender, $0.content.body ?? "", $0.content.fields?.id)
    }
  }

  private func call(
    _ method: String, _ path: [String], _ query: [URLQueryItem] = [], body: String? = nil
  ) async throws -> Data {
    let start = session.homeserver.appending(path: "_matrix/client/v3")
    var url = path.reduce(start) { $0.appending(path: $1) }
    if !query.isEmpty { url.append(queryItems: query) }
    let headers = [
      (name: "Authorization", value: "Bearer \(session.token.rawValue)"),
      (name: "Content-Type", value: "application/json"),
    ]
    let answer = try await transport.perform(
      TransportRequest(method, url, headers: headers, body: body.map { .bytes(Array($0.utf8)) }))
    guard answer.status == 200 else { throw BenchError("The homeserver answers \(answer.status).") }
    return Data(answer.body)
  }
}
