import Foundation

/// `skein kills`: kills a client at random moments on a bad network, and checks that no message is lost.
enum KillsCommand {
  private static let times = Option(
    name: "times", value: "N", help: "How often the client is killed, default 200.")

  static let usage = Usage(
    name: "kills",
    summary: "Kills a sending client repeatedly, and compares both clients with the server.",
    options: [times],
    notes: """
      The network cuts and delays connections. Then the network recovers, and the client starts again.
      The server and both clients must have every message once: then the status is 0.
      All data is removed at the end.
      """, run: run)

  private static func run(_ arguments: Arguments) async throws -> Int32 {
    let times = try arguments.number(times, in: 1...100_000) ?? 200
    let stage = DemoStage()
    let world = try DemoWorld(stage)
    let play = Task { try await KillRounds(world).play(times) }
    TerminationSignals.on { _ in play.cancel() }
    let result = await play.result
    let errors = await world.errorText
    await world.tearDown()
    if play.isCancelled {
      await stage.stopped()
      return 130
    }
    do {
      await stage.table(try result.get())
      return 0
    } catch {
      await stage.fails("\(error)")
      await stage.errors(errors)
      return 1
    }
  }
}
