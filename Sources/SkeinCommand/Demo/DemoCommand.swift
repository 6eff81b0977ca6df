import Foundation

/// `skein demo`: a server and several clients, each a process of its own, with faults and checks.
enum DemoCommand {
  static let usage = Usage(
    name: "demo", summary: "Runs a server and two clients, causes faults, and checks the messages.",
    options: [],
    notes: "The status is 0 if every check held. All data is removed at the end.",
    run: { _ in try await run(play) })

  /// Runs acts in a new world, removes the world, and writes the checks. If a signal stops the acts, no
  /// checks are written.
  static func run(
    _ play: @escaping @concurrent @Sendable (DemoWorld) async throws -> [DemoCheck]
  ) async throws -> Int32 {
    let stage = DemoStage()
    let world = try DemoWorld(stage)
    let demo = Task { try await play(world) }
    TerminationSignals.on { _ in demo.cancel() }
    let result = await demo.result
    let errors = await world.errorText
    await world.tearDown()
    if demo.isCancelled {
      await stage.stopped()
      return 130
    }
    let checks = try result.get()
    await stage.table(checks)
    guard !checks.allSatisfy(\.holds) else { return 0 }
    await stage.errors(errors)
    return 1
  }

  private static func play(_ world: DemoWorld) async throws -> [DemoCheck] {
    let stage = world.stage
    await stage.title(
      "Skein demo",
      "A server and several clients on this machine: processes that communicate over loopback only.")
    try await world.startServer()
    let acts = DemoActs(world)
    return [
      try await acts.play(1, "Alice and Bob talk", "Texts, places, pictures") {
        try await $0.exchangeEverything()
      },
      try await acts.play(2, "Bob is away while Alice writes 300 messages", "Away for 300 messages") {
        try await $0.comeBack()
      },
      try await acts.play(3, "Alice is killed while she sends 200", "Sender killed") {
        try await $0.killSender()
      },
      try await acts.play(4, "The server is killed while both write", "Server killed") {
        try await $0.killServer()
      },
      try await acts.play(5, "Bob uses a new device", "New device") { try await $0.readEverything() },
      try await acts.play(
        6, "Bob is away for ten days, and 5,000 messages wait in 30 chats", "Away for 5,000"
      ) {
        try await $0.returnAfterLongAbsence()
      },
      try await acts.play(7, "Alice and Bob change their minds", "Edits, recalls, replies") {
        try await $0.changeMessages()
      },
    ]
  }
}
