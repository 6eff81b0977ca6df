import Foundation
import SkeinModel
import SkeinTesting

/// matrix-nio, a client that others wrote, in a process of its own.
struct OtherClient: Sendable {
  /// An event as the other client understands it.
  struct Event: Decodable, Sendable, Hashable {
    let id: String
    /// The class of the event in matrix-nio.
    let type: String
    /// The type of the event in Matrix, also of a redacted one.
    let event: String
    let sender: String
    let body: String?
    let url: String?
    /// The type of a message, such as `m.text`.
    let kind: String?
    let place: String?
    /// The message that an edit replaces, and its new text.
    let edits: String?
    let text: String?
    let replies: String?
    let reacts: String?
    let key: String?
    let redacts: String?
  }

  private struct Made: Decodable {
    let event: String?
    let url: String?
  }
  private struct Page: Decodable { let events: [Event] }
  private struct File: Decodable { let data: Data }
  private struct Nothing: Decodable {}

  let user: UserID
  private let address: URL

  /// Starts the client of a user, runs `body`, and ends the client.
  static func run(_ user: UserID, on homeserver: URL, _ body: (OtherClient) async throws -> Void) async throws
  {
    guard let python = ProcessInfo.processInfo.environment["SKEIN_MATRIX_PYTHON"] else {
      throw Unfinished(description: "SKEIN_MATRIX_PYTHON is not set. Run: make test-matrix")
    }
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Scripts/matrix-client").standardizedFileURL
    var command = ServerCommand(
      URL(filePath: python),
      arguments: [script.path, homeserver.absoluteString, user.rawValue, SynapseServer.password],
      port: /listening on http:.*:(\d+)/)
    command.startLimit = .seconds(60)
    try await command.run { process in
      guard let address = URL(string: "http://127.0.0.1:\(process.port)") else { throw URLError(.badURL) }
      try await body(OtherClient(user: user, address: address))
    }
  }

  private func call<Answer: Decodable>(_ command: String, _ arguments: String, as type: Answer.Type)
    async throws -> Answer
  {
    try await TestRequest(address.appending(path: command), method: "POST").answer(to: arguments, as: type)
  }

  func join(_ room: ConversationRef) async throws {
    _ = try await call("join", #"{"room":"\#(room.rawValue)"}"#, as: Made.self)
  }

  /// Sends an event, and returns its id.
  func send(_ content: String, as type: String = "m.room.message", in room: ConversationRef) async throws
    -> ServerMessageID
  {
    let made = try await call(
      "send", #"{"room":"\#(room.rawValue)","type":"\#(type)","content":\#(content)}"#, as: Made.self)
    return ServerMessageID(rawValue: made.event ?? "")
  }

  /// Uploads a file, and returns its address.
  func upload(_ data: Data, type: String) async throws -> String {
    let made = try await call(
      "upload", #"{"name":"file","type":"\#(type)","data":"\#(data.base64EncodedString())"}"#, as: Made.self)
    return made.url ?? ""
  }

  func download(_ url: String) async throws -> Data {
    try await call("download", #"{"url":"\#(url)"}"#, as: File.self).data
  }

  func redact(_ event: ServerMessageID, in room: ConversationRef) async throws {
    _ = try await call(
      "redact", #"{"room":"\#(room.rawValue)","event":"\#(event.rawValue)"}"#, as: Made.self)
  }

  /// Moves the read mark, and sends a receipt.
  func mark(_ event: ServerMessageID, in room: ConversationRef) async throws {
    _ = try await call("mark", #"{"room":"\#(room.rawValue)","event":"\#(event.rawValue)"}"#, as: Made.self)
  }

  func type(in room: ConversationRef) async throws {
    _ = try await call("type", #"{"room":"\#(room.rawValue)"}"#, as: Made.self)
  }

  /// The event with an id, once a sync of the other client has returned it.
  func event(_ id: ServerMessageID?) async throws -> Event {
    try await call("await_event", #"{"event":"\#(id?.rawValue ?? "")"}"#, as: Event.self)
  }

  func typing(of user: UserID, in room: ConversationRef) async throws {
    _ = try await call(
      "await_typing", #"{"room":"\#(room.rawValue)","user":"\#(user.rawValue)"}"#, as: Nothing.self)
  }

  func receipt(of user: UserID, for event: ServerMessageID?) async throws {
    _ = try await call(
      "await_receipt", #"{"event":"\#(event?.rawValue ?? "")","user":"\#(user.rawValue)"}"#, as: Nothing.self)
  }

  /// All events of a room, oldest first, as the other client pages through them.
  func history(of room: ConversationRef) async throws -> [Event] {
    try await call("history", #"{"room":"\#(room.rawValue)"}"#, as: Page.self).events
  }
}
