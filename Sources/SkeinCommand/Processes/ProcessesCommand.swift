/// `skein processes`: two clients on one folder, like an app and its extension. One of the clients has the
/// connection.
enum ProcessesCommand {
  static let usage = Usage(
    name: "processes",
    summary:
      "Runs two clients on one folder, kills or halts the one with the connection, and checks the messages.",
    options: [],
    notes: "The status is 0 if every check held. All data is removed at the end.",
    run: { _ in try await DemoCommand.run(play) })

  private static func play(_ world: DemoWorld) async throws -> [DemoCheck] {
    await world.stage.title(
      "Skein in two processes",
      "Alice's app and its extension, on one folder; Bob; a server: four processes.")
    try await world.startServer()
    let acts = DemoActs(world)
    return [
      try await acts.play(1, "App and extension write at once", "One posts for both") {
        try await $0.writeTogether()
      },
      try await acts.play(2, "The one with the connection is killed", "Killed") {
        try await $0.killHolder()
      },
      try await acts.play(3, "The one with the connection hangs, and continues later", "Halted") {
        try await $0.haltHolder()
      },
    ]
  }
}
