/// What each target may know: the only table of its kind, and the place to change when the house grows a room.
///
/// `Package.swift` says what a target links; this says what it is allowed to. Test targets may link what they test and
/// have a row for the system's modules only.
struct House: Sendable {
  struct Row: Sendable {
    /// Targets of this package.
    let knows: Set<String>
    /// Modules of the toolchain and of the operating system.
    let system: Set<String>
  }

  let rows: [String: Row]

  static let skein = House(rows: [
    // Syncs folders, reads `errno`.
    "SkeinStorage": Row(
      knows: ["CSQLite"], system: essentials.union(cLibrary).union(["SQLite3", "Synchronization"])),
    "SkeinSockets": Row(
      knows: ["CSockets"], system: essentials.union(cLibrary).union(["Dispatch", "Synchronization"])),
    // Values and the contract: no database, no actor. Hashes contents so that the same one is recognized.
    "SkeinModel": Row(
      knows: ["CSodium"], system: essentials.union(["CryptoKit", "Synchronization"])),
    "Skein": Row(
      knows: ["SkeinModel", "SkeinStorage"],
      system: essentials.union(["Observation", "Synchronization"])),
    // Draws on no screen: surfaces do. Waits for each business on a queue of its own.
    "SkeinCards": Row(knows: ["Skein"], system: essentials.union(["Dispatch", "Synchronization"])),
    "SkeinTerminal": Row(knows: ["Skein", "SkeinCards"], system: essentials),
    // Serves pages of its own on loopback.
    "SkeinWeb": Row(
      knows: ["Skein", "SkeinCards", "SkeinSockets"], system: essentials.union(["Synchronization"])),
    // As an app would, through the public doors alone.
    "SkeinExamples": Row(
      knows: ["Skein", "SkeinCards", "SkeinWeb"], system: essentials.union(["Synchronization"])),
    // Runs seeded worlds of real clients, with their databases, in one process.
    "SkeinSimulation": Row(
      knows: ["Skein", "SkeinModel", "SkeinStorage"], system: essentials.union(["Synchronization"])),
    // Checks any backend; knows none, and no test library, so that a command may run the checks as well.
    "SkeinTesting": Row(knows: ["SkeinModel"], system: essentials.union(["Synchronization"])),
    "SkeinWire": Row(knows: [], system: essentials),
    "SkeinHTTP": Row(
      knows: ["SkeinModel", "SkeinSockets", "SkeinWire"],
      // Locks what a download has left, for two of one file must not both write to it.
      system: essentials.union(cLibrary).union(["FoundationNetworking", "Synchronization"])),
    // Writes media files and hashes passwords on a queue, off the pool that runs tasks.
    "SkeinServer": Row(
      knows: ["SkeinStorage", "SkeinSockets", "SkeinWire", "CSodium", "CFetch"],
      system: essentials.union(cLibrary).union(["Dispatch", "Synchronization"])),
    // Takes the process's signals; its demo reads the server with bare requests and hashes pictures.
    "SkeinCommand": Row(
      knows: [
        "Skein", "SkeinCards", "SkeinExamples", "SkeinHTTP", "SkeinServer", "SkeinSimulation",
        "SkeinTerminal", "SkeinWeb", "CSodium",
      ],
      system: essentials.union(cLibrary).union(["Dispatch", "FoundationNetworking", "Synchronization"])),
    "CSockets": Row(knows: ["CWebSockets"], system: []),
    "CFetch": Row(knows: ["CCurl"], system: []),
  ])

  /// Every target may use these, the engine the first only where there is one (see ``ImportRule``).
  private static let essentials: Set<String> = ["Foundation", "FoundationEssentials"]

  /// The C library, under the name that each platform gives it.
  private static let cLibrary: Set<String> = ["Darwin", "Glibc", "Musl"]

  /// What a test may import besides what it tests.
  static let systemOfTests = essentials.union(cLibrary).union([
    "Dispatch", "FoundationNetworking", "Observation", "Synchronization", "Testing",
  ])

  /// Files that pass another module on to whoever imports theirs.
  static let exports: Set<String> = ["Sources/Skein/Exports.swift"]

  /// Attributes that open one module's insides to another.
  static let doorsToInsides = ["@testable", "@_spi", "@_implementationOnly", "@_exported"]
}
