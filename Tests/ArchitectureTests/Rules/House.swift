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
    // The C library: to sync a folder, and to read `errno`.
    "SkeinStorage": Row(
      knows: ["CSQLite"],
      system: essentials.union(["Darwin", "Glibc", "SQLite3", "Synchronization"])),
    "SkeinSockets": Row(
      knows: ["CSockets"], system: essentials.union(["Darwin", "Dispatch", "Glibc", "Synchronization"])),
    "Skein": Row(knows: ["SkeinStorage"], system: essentials.union(["Observation", "Synchronization"])),
    "SkeinWire": Row(knows: [], system: essentials),
    "SkeinHTTP": Row(
      knows: ["Skein", "SkeinSockets", "SkeinWire"],
      system: essentials.union(["FoundationNetworking", "Synchronization"])),
    "SkeinServer": Row(
      knows: ["SkeinStorage", "SkeinSockets", "SkeinWire", "CSodium"],
      system: essentials.union(["Synchronization"])),
    "SkeinCommand": Row(
      knows: ["Skein", "SkeinHTTP", "SkeinServer"],
      system: essentials.union(["Darwin", "Dispatch", "Glibc", "Synchronization"])),
    "CSockets": Row(knows: ["CWebSockets"], system: []),
  ])

  /// Every target may use these, the engine the first only where there is one (see ``ImportRule``).
  private static let essentials: Set<String> = ["Foundation", "FoundationEssentials"]

  /// What a test may import besides what it tests.
  static let systemOfTests: Set<String> = [
    "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc",
    "Observation", "Synchronization", "Testing",
  ]

  /// Attributes that open one module's insides to another.
  static let doorsToInsides = ["@testable", "@_spi", "@_implementationOnly", "@_exported"]
}
