/// The acts of the demo. Each act begins with the state that the previous act has left.
actor DemoActs {
  let world: DemoWorld
  let stage: DemoStage
  private var people: [String: DemoClient] = [:]

  init(_ world: DemoWorld) {
    self.world = world
    stage = world.stage
  }

  /// The client of a person, started if it does not run.
  ///
  /// - Parameters:
  ///   - role: The name of the process, if the person has several processes; the person's name by default.
  ///     With a role, the method does not wait until the client is online.
  ///   - way: The address at which to reach the server; the server's own by default.
  ///   - words: Further options of `skein chat`.
  func person(
    _ name: String, as role: String? = nil, registering: Bool = false, through way: String? = nil,
    words: [String] = []
  ) async throws -> DemoClient {
    if let client = people[role ?? name] { return client }
    let client = try await world.start(
      name, registering: registering, through: way, words: words, waitsForConnection: role == nil)
    people[role ?? name] = client
    return client
  }

  /// Forgets the client of this person or role, whose process has ended.
  func lost(_ name: String) { people[name] = nil }

  /// Plays one act. An error becomes a failed check, unless the demo was cancelled.
  func play(
    _ number: Int, _ heading: String, _ title: String, _ act: (DemoActs) async throws -> [String]
  ) async throws -> DemoCheck {
    try Task.checkCancellation()
    await stage.act(number, heading)
    do {
      return DemoCheck(number: number, title: title, holds: true, facts: try await act(self))
    } catch let error where !Task.isCancelled {
      await stage.fails("\(error)")
      return DemoCheck(number: number, title: title, holds: false, facts: ["\(error)"])
    }
  }

  /// Types a line that sends a message, waits until the server and the receiver have the message, and writes
  /// the message as both screens show it.
  func exchange(from sender: DemoClient, to receiver: DemoClient, _ line: String) async throws {
    let count = await sender.screen.stored.count
    await sender.type(line)
    try await sender.wait(10, for: "\(sender.name)'s message to be on disk") { $0.stored.count > count }
    let id = await sender.screen.stored.last
    try await sender.wait(10, for: "the server to have \(sender.name)'s message") { screen in
      screen.messages.contains { $0.messageID == id && $0.status == .sent }
    }
    try await receiver.wait(10, for: "\(receiver.name) to have the message of \(sender.name)") { screen in
      screen.messages.contains { $0.messageID == id }
    }
    for client in [sender, receiver] {
      guard let shown = await client.screen.messages.first(where: { $0.messageID == id }) else { continue }
      await show(shown, on: client)
    }
  }

  /// Writes a message as the client's screen shows it.
  func show(_ message: MessageRecord, on client: DemoClient) async {
    let isOwn = message.own
    await stage.says(
      on: client.name, (isOwn ? "" : "\(message.sender): ") + Self.described(message),
      mark: isOwn && message.status == .sent ? "✓" : "")
  }

  private static func described(_ message: MessageRecord) -> String {
    switch message.kind {
    case "location":
      "\(message.text), \(message.content?.latitude ?? 0)° N \(message.content?.longitude ?? 0)° E"
    case "image":
      "\(message.text) \(message.content?.width ?? 0) × \(message.content?.height ?? 0), "
        + "\(message.content?.size ?? 0) bytes"
    case "video": "\(message.text) \(message.content?.size ?? 0) bytes"
    default: message.text
    }
  }

  /// Numbered texts.
  static func texts(_ count: Int, _ text: String) -> [String] {
    (1...count).map { "\(text) \($0)" }
  }
}
