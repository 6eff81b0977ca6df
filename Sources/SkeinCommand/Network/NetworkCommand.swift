import Foundation

/// `skein network`: shows a client while its network fails and comes back.
enum NetworkCommand {
  static let usage = Usage(
    name: "network",
    summary: "Cuts the network of a client, and shows which messages wait, why and how long.",
    options: [],
    notes: """
      Alice reaches the server through skein proxy, which can block or delay all data.
      The status is 0 if every check held. All data is removed at the end.
      """,
    run: { _ in try await DemoCommand.run(play) })

  private static func play(_ world: DemoWorld) async throws -> [DemoCheck] {
    await world.stage.title(
      "Skein without a network",
      "A server, two people, and a proxy that can cut Alice's network: four processes.")
    try await world.startServer()
    let proxy = try await world.startProxy()
    let acts = DemoActs(world)
    return [
      try await acts.play(1, "The network is pulled while Alice writes", "Network pulled") {
        try await $0.pullNetwork(proxy)
      },
      try await acts.play(2, "A text passes a video of 20 MB on a slow network (--lanes media)", "Media lane")
      {
        try await $0.writeDuringUpload(proxy, lanes: "media")
      },
      try await acts.play(3, "The same with --lanes strict", "Strict") {
        try await $0.writeDuringUpload(proxy, lanes: "strict")
      },
      try await acts.play(4, "The upload of a 10 MB photo is cut, and the photo is sent again", "Upload cut")
      {
        try await $0.cutUpload(proxy)
      },
    ]
  }
}
