import Foundation
import SkeinModel
import SkeinSockets
import SkeinTransport
import Synchronization

@testable import SkeinMatrix

/// A homeserver in memory, with one user and one room, whose answers a test can damage.
final class TestHomeserver: Sendable {
  /// The calls that a test can tell apart. A poll is a sync of the push channel.
  enum Call: String, CaseIterable, Sendable {
    case sync, poll, messages, context, event, relations, send, state, members, login, upload, download
    case account, other
  }

  static let room = "!room:example.org"
  static let bob = "@bob:example.org"
  private static let pageSize = 20

  private struct State {
    var events: [JSONValue] = []
    var damages: [Call: @Sendable (TransportAnswer) -> TransportAnswer] = [:]
    var requests: [Call: Int] = [:]
    var polls: [AsyncStream<Void>.Continuation] = []
    var transactions: [String: JSONValue] = [:]
    var file: [UInt8] = []
    var raw: [String] = []
    /// The ranges that the downloads have requested.
    var ranges: [String?] = []
  }
  private let state = Mutex(State())

  /// Whether a download of a range gets only the range.
  private let hasRanges: Bool

  init(hasRanges: Bool = false) {
    self.hasRanges = hasRanges
    append(["name": "Room"], type: "m.room.name", sender: Self.bob, stateKey: "")
  }

  /// The file that downloads return.
  var file: [UInt8] {
    get { state.withLock { $0.file } }
    set { state.withLock { $0.file = newValue } }
  }

  /// The ranges that the downloads so far have requested.
  var ranges: [String?] { state.withLock { $0.ranges } }

  /// The number of messages that were sent with a transaction id.
  var sentMessages: Int { state.withLock { $0.transactions.count } }

  /// The number of requests of all calls so far.
  var requests: Int { state.withLock { $0.requests.values.reduce(0, +) } }

  /// The number of requests of a call so far.
  func requests(_ call: Call) -> Int { state.withLock { $0.requests[call] ?? 0 } }

  /// Adds a message of the other member, and returns its id.
  @discardableResult
  func post(_ text: String) -> String {
    append(["msgtype": "m.text", "body": .string(text)], type: "m.room.message", sender: Self.bob)
  }

  /// Adds an event, as some user with another client would.
  @discardableResult
  func append(_ content: JSONValue, type: String, sender: String, stateKey: String? = nil) -> String {
    change { state in
      var event: JSONValue = [
        "event_id": .string("$\(state.events.count)"), "type": .string(type), "sender": .string(sender),
        "origin_server_ts": .integer(1_000_000 + Int64(state.events.count)), "content": content,
      ]
      event["state_key"] = stateKey.map { .string($0) }
      state.events.append(event)
      return "$\(state.events.count - 1)"
    }
  }

  /// Adds an event of any form. `$new` stands for the id of the next event.
  func append(raw json: String) {
    change { state in
      let event = json.replacing("$new", with: "$\(state.events.count)")
      state.events.append(.string("raw \(state.raw.count)"))
      state.raw.append(event)
    }
  }

  /// Replaces the answers to a call from now on; nil ends the damage.
  func damage(_ call: Call, _ damage: (@Sendable (TransportAnswer) -> TransportAnswer)?) {
    change { $0.damages[call] = damage }
  }

  /// Changes the state, and ends the waiting polls.
  private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    let (value, polls) = state.withLock { state in
      let value = body(&state)
      defer { state.polls = [] }
      return (value, state.polls)
    }
    for poll in polls { poll.finish() }
    return value
  }
}

// MARK: Answers

extension TestHomeserver {
  /// - Parameter path: the parts of the path after `_matrix`.
  private func answer(
    _ method: String, _ path: [String], _ query: [String: String], _ body: [UInt8]
  ) async -> TransportAnswer {
    let names =
      path.prefix(5).compactMap { Call(rawValue: $0) } + (path.contains("account_data") ? [.account] : [])
    var call = names.first ?? .other
    if call == .sync, query["set_presence"] == "online" { call = .poll }
    if call == .poll, let since = query["since"] { await news(after: since) }
    let damage = state.withLock { state in
      state.requests[call, default: 0] += 1
      return state.damages[call]
    }
    let answer = state.withLock { state in
      let answer = Self.answer(&state, call, method, path, query, body)
      return state.raw.isEmpty ? answer : answer.replacing(state.raw)
    }
    return damage?(answer) ?? answer
  }

  /// Waits until there are events after a token, or a change of the answers.
  private func news(after token: String) async {
    let (stream, poll) = AsyncStream.makeStream(of: Void.self)
    let isWaiting = state.withLock { state in
      guard Self.number(token) >= state.events.count, state.damages[.poll] == nil else { return false }
      state.polls.append(poll)
      return true
    }
    if isWaiting { for await _ in stream {} }
  }

  private static func number(_ token: String?) -> Int { token.flatMap { Int($0.dropFirst()) } ?? 0 }

  /// Whether this homeserver has given a token.
  private static func knows(_ token: String, _ state: State) -> Bool {
    token.hasPrefix("s") && Int(token.dropFirst()).map { (0...state.events.count).contains($0) } ?? false
  }

  private static func answer(
    _ state: inout State, _ call: Call, _ method: String, _ path: [String], _ query: [String: String],
    _ body: [UInt8]
  ) -> TransportAnswer {
    let tokens = ["since", "from"].compactMap { query[$0] }
    guard tokens.allSatisfy({ knows($0, state) }) else { return .refusal(400, "M_UNKNOWN") }
    if let place = path.firstIndex(of: "rooms"), path.dropFirst(place + 1).first != room, call != .account {
      return .refusal(403, "M_FORBIDDEN")
    }
    switch call {
    case .sync, .poll: return .json(sync(state, query))
    case .messages: return .json(page(state, query))
    case .context, .event:
      let index = path.last?.hasPrefix("$") == true ? Int(path.last?.dropFirst() ?? "") ?? -1 : -1
      guard state.events.indices.contains(index) else { return .refusal(404, "M_NOT_FOUND") }
      let event = state.events[index]
      return .json(call == .event ? event : ["event": event, "start": .string("s\(index)")])
    case .relations: return .json(["chunk": []])
    case .members: return .json(["chunk": []])
    case .send:
      let transaction = path.last ?? ""
      let id = state.transactions[transaction] ?? .string("$\(state.events.count)")
      if state.transactions.updateValue(id, forKey: transaction) == nil {
        state.events.append([
          "event_id": id, "type": .string(path[path.count - 2]), "sender": "@alice:example.org",
          "origin_server_ts": .integer(1_000_000 + Int64(state.events.count)),
          "content": (try? JSONDecoder().decode(JSONValue.self, from: Data(body))) ?? [:],
          "unsigned": ["transaction_id": .string(transaction)],
        ])
      }
      return .json(["event_id": id])
    case .login:
      return .json(["user_id": "@alice:example.org", "device_id": "phone", "access_token": "secret token"])
    case .upload:
      state.file = body
      return .json(["content_uri": "mxc://example.org/1"])
    case .download: return TransportAnswer(status: 200, body: state.file)
    case .state, .account: return method == "GET" ? .refusal(404, "M_NOT_FOUND") : .json([:])
    case .other: return .json([:])
    }
  }

  private static func sync(_ state: State, _ query: [String: String]) -> JSONValue {
    let count = state.events.count
    var answer: JSONValue = ["next_batch": .string("s\(count)")]
    // Without a place to start from, a poll asks only for that place.
    let isStart = query["since"] == nil && query["set_presence"] == "online"
    let start = max(number(query["since"]), count - pageSize)
    if !isStart, start < count {
      answer["rooms"] = [
        "join": [
          room: [
            "timeline": [
              "events": .array(Array(state.events[start...])), "prev_batch": .string("s\(start)"),
              "limited": .bool(start > number(query["since"])),
            ]
          ]
        ]
      ]
    }
    return answer
  }

  private static func page(_ state: State, _ query: [String: String]) -> JSONValue {
    let limit = query["limit"].flatMap { Int($0) } ?? pageSize
    let isBack = query["dir"] == "b"
    let from = query["from"].map(number) ?? (isBack ? state.events.count : 0)
    let range = isBack ? max(from - limit, 0)..<from : from..<min(from + limit, state.events.count)
    let end = isBack ? range.lowerBound : range.upperBound
    let events = state.events[range]
    var page: JSONValue = [
      "start": .string("s\(from)"), "chunk": .array(isBack ? events.reversed() : Array(events)),
    ]
    if isBack ? end > 0 : end > from { page["end"] = .string("s\(end)") }
    return page
  }
}

// MARK: Requests

extension TestHomeserver: HTTPTransport {
  func perform(_ request: TransportRequest, into sink: FileSink?) async throws -> TransportAnswer {
    let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
    let query = (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    let path = (parts?.percentEncodedPath ?? "").split(separator: "/").map {
      $0.removingPercentEncoding ?? ""
    }
    var body: [UInt8] = []
    if case .bytes(let bytes) = request.body { body = bytes }
    let answer = await answer(
      request.method, Array(path.dropFirst()), Dictionary(query) { $1 }, body)
    try Task.checkCancellation()
    return answer
  }
}

extension TestHomeserver: SocketServerHandler {
  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let path = request.path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    let query = Dictionary(request.query.map { ($0.name, $0.value) }) { $1 }
    let body = (try? await request.body.collect(upTo: 64 << 20)) ?? []
    let answer = await answer(request.method, Array(path.dropFirst()), query, body)
    if path.contains("download") {
      let range = request.headers["Range"]
      state.withLock { $0.ranges.append(range) }
      if hasRanges, let start = range.flatMap({ Int($0.dropFirst("bytes=".count).dropLast()) }) {
        let range = "bytes \(start)-\(answer.body.count - 1)/\(answer.body.count)"
        return HTTPResponse(
          status: 206, headers: ["Content-Range": range],
          content: .bytes(Array(answer.body.dropFirst(start))))
      }
    }
    let headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
    if let file = answer["X-File"] {
      return HTTPResponse(status: answer.status, content: .file(URL(filePath: file)))
    }
    return HTTPResponse(status: answer.status, headers: headers, content: .bytes(answer.body))
  }

  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async {}

  /// Runs `body` with the address of this homeserver on a port of this machine.
  func run(_ body: (URL) async throws -> Void) async throws {
    let server = try await SocketServer.start(handler: self)
    do {
      guard let url = URL(string: "http://127.0.0.1:\(server.port)") else { throw URLError(.badURL) }
      try await body(url)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }
}

extension TransportAnswer {
  /// The answer with a change of its JSON.
  func changing(_ change: (inout JSONValue) -> Void) -> TransportAnswer {
    var json = (try? JSONDecoder().decode(JSONValue.self, from: Data(body))) ?? [:]
    change(&json)
    return .json(json, status: status)
  }

  static func json(_ value: JSONValue, status: Int = 200) -> TransportAnswer {
    TransportAnswer(
      status: status, headers: [("Content-Type", "application/json")],
      body: Array((try? value.encoded()) ?? Data()))
  }

  /// The answer with raw events in place of their numbers.
  fileprivate func replacing(_ raw: [String]) -> TransportAnswer {
    var text = String(decoding: body, as: UTF8.self)
    for (number, event) in raw.enumerated() { text.replace("\"raw \(number)\"", with: event) }
    return TransportAnswer(status: status, headers: headers, body: Array(text.utf8))
  }

  static func refusal(_ status: Int, _ code: String) -> TransportAnswer {
    .json(["errcode": .string(code), "error": "A sentence of the homeserver"], status: status)
  }
}
