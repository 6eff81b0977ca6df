/// The modules that each target may import.
///
/// `Package.swift` lists the modules that a target links; this table lists the modules that the target may
/// link. Test targets may link any target of the package, and share one set of the system's modules.
struct House: Sendable {
  struct Row: Sendable {
    /// Targets of this package.
    let knows: Set<String>
    /// Modules of the toolchain and the operating system.
    let system: Set<String>
  }

  let rows: [String: Row]

  static let skein = House(rows: [
    // Synchronizes folders with the disk, and reads `errno`.
    "SkeinStorage": Row(
      knows: ["CSQLite"], system: essentials.union(cLibrary).union(["SQLite3", "Synchronization"])),
    "SkeinSockets": Row(
      knows: ["CSockets"], system: essentials.union(cLibrary).union(["Dispatch", "Synchronization"])),
    // Values and the contract: no database, no actor. Hashes contents to recognize equal contents, and asks
    // Apple's kernels for the id of the boot.
    "SkeinModel": Row(
      knows: ["CSodium"], system: essentials.union(["CryptoKit", "Darwin", "Synchronization"])),
    "Skein": Row(
      knows: ["SkeinModel", "SkeinStorage"],
      system: essentials.union(["Observation", "Synchronization"])),
    // Depends on no surface. Runs each plugin on a queue of its own.
    "SkeinCards": Row(knows: ["Skein"], system: essentials.union(["Dispatch", "Synchronization"])),
    "SkeinTerminal": Row(knows: ["Skein", "SkeinCards"], system: essentials),
    // Serves its page on the loopback interface.
    "SkeinWeb": Row(
      knows: ["Skein", "SkeinCards", "SkeinSockets"], system: essentials.union(["Synchronization"])),
    // Uses public interfaces only, as an app does.
    "SkeinExamples": Row(
      knows: ["Skein", "SkeinCards", "SkeinWeb"], system: essentials.union(["Synchronization"])),
    // Runs seeded simulations of real clients with their databases in one process.
    "SkeinSimulation": Row(
      knows: ["CPowerCut", "Skein", "SkeinModel", "SkeinStorage"],
      system: essentials.union(["Synchronization"])),
    // Checks any backend. Depends on no backend and no test library, so that commands can run the checks too.
    // Runs checks on queues of their own, relays TCP and starts servers' processes.
    "SkeinTesting": Row(
      knows: ["SkeinModel"], system: essentials.union(cLibrary).union(["Dispatch", "Synchronization"])),
    "SkeinWire": Row(knows: [], system: essentials),
    // Locks partial downloads, so that two downloads never write to the same file. Uses libcurl on Linux.
    "SkeinTransport": Row(
      knows: ["CTransfers", "SkeinModel"], system: essentials.union(cLibrary).union(["Synchronization"])),
    "SkeinHTTP": Row(
      knows: ["SkeinModel", "SkeinSockets", "SkeinTransport", "SkeinWire"],
      system: essentials.union(["Synchronization"])),
    "SkeinMatrix": Row(
      knows: ["SkeinModel", "SkeinTransport"], system: essentials.union(["Synchronization"])),
    // Has queues of its own, beside Swift's thread pool, to write media files and to hash passwords.
    "SkeinServer": Row(
      knows: ["SkeinStorage", "SkeinSockets", "SkeinWire", "CSodium", "CTransfers"],
      system: essentials.union(cLibrary).union(["Dispatch", "Synchronization"])),
    // Handles the process's signals; its demo sends requests to the server and hashes pictures.
    "SkeinCommand": Row(
      knows: [
        "Skein", "SkeinCards", "SkeinExamples", "SkeinHTTP", "SkeinMatrix", "SkeinServer", "SkeinSimulation",
        "SkeinTerminal", "SkeinWeb", "CSodium",
      ],
      system: essentials.union(cLibrary).union(["Dispatch", "FoundationNetworking", "Synchronization"])),
    "CSockets": Row(knows: ["CWebSockets"], system: []),
    "CTransfers": Row(knows: ["CCurl"], system: []),
    "CPowerCut": Row(knows: ["CSQLite"], system: []),
  ])

  /// The modules that a module may depend on, directly or through others.
  func reach(of module: String) -> Set<String> {
    (rows[module]?.knows ?? []).reduce(into: []) { reached, known in
      reached.insert(known)
      reached.formUnion(reach(of: known))
    }
  }

  /// Allowed in every target; for the engine see also ``ImportRule``.
  private static let essentials: Set<String> = ["Foundation", "FoundationEssentials"]

  /// The C library's name on each platform.
  private static let cLibrary: Set<String> = ["Darwin", "Glibc", "Musl"]

  /// The system's modules that tests may import.
  static let systemOfTests = essentials.union(cLibrary).union([
    "Dispatch", "FoundationNetworking", "Observation", "Synchronization", "Testing",
  ])

  /// Files that re-export another module.
  static let exports: Set<String> = ["Sources/Skein/Exports.swift"]

  /// Attributes that give access to another module's internals, or re-export the module.
  static let doorsToInsides = ["@testable", "@_spi", "@_implementationOnly", "@_exported"]
}
