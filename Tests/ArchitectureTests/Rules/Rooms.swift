/// The rooms of a module, which are the folders directly below its folder, with the rooms that each may use.
///
/// A file directly in the module's folder belongs to a room named after the module.
struct Rooms: Sendable {
  let module: String
  /// Each room with the rooms it may use; the graph has no cycle.
  let uses: [String: Set<String>]
  /// Names of members that other modules also declare, so that a use of the name does not identify a room.
  var foreignNames: Set<String> = []

  /// The tables of the modules whose rooms are checked.
  static let all = [engine, server, web, command]

  /// The layers of the engine, from the machines that know no table to the client that apps see.
  static let engine = Rooms(
    module: "Skein",
    uses: [
      // Which stretches of a conversation are complete.
      "Spans": [],
      // Lists in memory, their snapshots and exact changes.
      "Lists": [],
      // Rows, schema, all SQL, the unit of work and the change feed.
      "Store": ["Spans"],
      "Messages": ["Store"],
      "Conversations": ["Spans", "Lists", "Store", "Messages"],
      "Outbox": ["Lists", "Store", "Messages", "Conversations"],
      "Sync": ["Spans", "Store", "Messages", "Conversations", "Outbox"],
      "Timeline": ["Spans", "Lists", "Store", "Sync"],
      "Processes": ["Store"],
      "Client": [
        "Spans", "Lists", "Store", "Messages", "Conversations", "Outbox", "Sync", "Timeline", "Processes",
      ],
      "Skein": [],
    ], foreignNames: ["failed", "pin", "recall", "star"])

  /// From the builder of markup to the handler of requests.
  static let web = Rooms(
    module: "SkeinWeb",
    uses: [
      "HTML": [],
      "Surface": ["HTML"],
      "Protocol": ["HTML"],
      "Page": ["HTML", "Surface"],
      "Inspector": ["HTML", "Page", "Protocol"],
      "Session": ["HTML", "Inspector", "Page", "Protocol", "Surface"],
      "Server": ["Inspector", "Protocol", "Session", "Surface"],
    ], foreignNames: ["text"])

  /// One room for each subcommand, above the rooms that subcommands share.
  static let command = Rooms(
    module: "SkeinCommand",
    uses: [
      "System": [],
      "Arguments": [],
      "Events": [],
      "Account": ["Arguments", "System"],
      "Serve": ["Arguments", "System"],
      "Simulate": ["Arguments", "System"],
      "Proxy": ["Arguments", "System"],
      "Measure": ["Arguments", "System"],
      "Output": ["Events"],
      "Chat": ["Account", "Arguments", "Events", "Output", "System"],
      "Demo": ["Arguments", "Output", "System"],
      "Network": ["Arguments", "Demo"],
      "Processes": ["Arguments", "Demo", "Output"],
      "Kills": ["Arguments", "Demo", "Proxy", "System"],
      "Web": ["Account", "Arguments", "Demo", "System"],
      "SkeinCommand": [
        "Account", "Arguments", "Chat", "Demo", "Kills", "Measure", "Network", "Processes", "Proxy", "Serve",
        "Simulate", "System", "Web",
      ],
    ], foreignNames: ["cancel", "count", "encode", "line", "pin", "recall"])

  /// From tables to endpoints: each room uses only rooms that are listed before it.
  static let server = Rooms(
    module: "SkeinServer",
    uses: [
      // Options, refusals, hashes and files.
      "Base": [],
      // Rows, schema, and the queries of single tables.
      "Store": ["Base"],
      "Accounts": ["Base", "Store"],
      "Conversations": ["Base", "Store"],
      "Media": ["Base", "Store"],
      "Push": ["Store"],
      "Messages": ["Base", "Store", "Push"],
      "Sync": ["Base", "Store", "Conversations", "Messages"],
      // A request and its values, before any endpoint.
      "Requests": ["Base", "Store"],
      "Endpoints": [
        "Base", "Store", "Accounts", "Conversations", "Media", "Push", "Messages", "Sync", "Requests",
      ],
      "SkeinServer": ["Base", "Store", "Accounts", "Media", "Push", "Messages", "Endpoints"],
    ])
}
