import Foundation
import Skein
import SkeinMatrix
import SkeinTransport
import Testing

/// A device with the engine, its database on disk, and the backend.
struct TestPhone {
  let client: ChatClient
  let chat: ChatContext
  let backend: MatrixBackend

  /// Opens a client on the database in `folder`, and starts it.
  ///
  /// - Parameter pauses: whether a failed request is repeated after a pause; otherwise it is repeated at once.
  init(_ backend: MatrixBackend, in folder: URL, pauses: Bool = false) async throws {
    var runtime = Runtime.system(directory: folder)
    runtime.random = { pauses ? 1 << 62 : 0 }
    runtime.installation = "phone"
    client = try await ChatClient.open(account: "@alice:example.org", backend: backend, runtime: runtime)
    self.backend = backend
    client.start()
    var first: ConversationID?
    for await update in client.conversations.changes {
      first = update.snapshot.first?.id
      if first != nil { break }
    }
    guard let first else { throw CancellationError() }
    chat = client.context(for: first)
    try await chat.open()
  }

  /// The shown messages, without gaps.
  var messages: [ChatMessage] { chat.messages.compactMap(\.message) }

  /// The texts of the shown messages, and `gap` for each gap.
  var shown: [String] { Self.texts(chat.messages) }

  private static func texts(_ list: MessageList) -> [String] {
    list.map { $0.message.map(\.content.displayedText) ?? "gap" }
  }

  /// Waits until the list ends with this text. Returns the list.
  @discardableResult
  func received(_ text: String) async throws -> [String] {
    for await update in chat.changes {
      let texts = Self.texts(update.snapshot)
      if texts.last == text { return texts }
    }
    throw CancellationError()
  }

  /// Stops and starts the client, which then fetches.
  func restart() async {
    await client.stop()
    client.start()
  }

  /// Waits until a fetch has failed, and returns the reason.
  func failure() async throws -> FailureReason {
    for await state in client.catchUpStates {
      if case .failed(let reason) = state { return reason }
    }
    throw CancellationError()
  }

  /// Waits until the connection has a state.
  func reaches(_ state: ConnectionState) async throws {
    for await now in client.connectionStates where now == state { return }
    throw CancellationError()
  }
}

extension TestPhone {
  /// Runs `attack` on a device that has three messages, or `count` messages. Checks that it then receives a message
  /// and has kept the others, also after a new start.
  static func survives(
    count: Int = 3, pauses: Bool = false, _ attack: (TestPhone, TestHomeserver) async throws -> Void
  ) async throws {
    let homeserver = TestHomeserver()
    for number in 1...count { homeserver.post("\(number)") }
    try await withFolder { folder in
      try await homeserver.run { url in
        var options = MatrixOptions()
        options.maximumAnswerSize = 16 << 20
        options.pollPause = .milliseconds(10)
        let backend = MatrixBackend(MatrixSession(at: url), options: options)
        let phone = try await TestPhone(backend, in: folder, pauses: pauses)
        let before = try await phone.received("\(count)")
        try await attack(phone, homeserver)
        for call in TestHomeserver.Call.allCases { homeserver.damage(call, nil) }
        homeserver.post("end")
        let texts = try await phone.received("end")
        #expect(texts.count { before.contains($0) } >= before.count, "\(texts)")
        await phone.client.close()
        let next = try await TestPhone(backend, in: folder)
        // A list opens with the newest messages.
        #expect(try await next.received("end") == texts.suffix(50))
        await next.client.close()
      }
    }
  }
}

/// Runs `body` with the path of a new folder.
func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}

extension MatrixSession {
  /// The session of the only user of a test homeserver.
  init(at address: URL) {
    self.init(
      homeserver: address, user: "@alice:example.org", device: "phone",
      token: MatrixToken(rawValue: "secret token"))
  }
}
