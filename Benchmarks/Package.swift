// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "skein", path: "..")],
  targets: [
    .systemLibrary(name: "CReferenceSQLite", pkgConfig: "sqlite3"),
    // The references in C, without an engine: commits, inserts, posts and requests. Also the sockets that
    // only read.
    .target(
      name: "CReference", dependencies: ["CReferenceSQLite"], cSettings: [.define("_GNU_SOURCE")],
      linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CReference", "CReferenceSQLite",
        .product(name: "Skein", package: "skein"),
        .product(name: "SkeinHTTP", package: "skein"),
        .product(name: "SkeinServer", package: "skein"),
        .product(name: "SkeinStorage", package: "skein"),
        .product(name: "SkeinTesting", package: "skein"),
        .product(name: "SkeinTransport", package: "skein"),
      ],
      path: "Sources/Bench",
      swiftSettings: settings),
    .executableTarget(
      name: "bench-matrix",
      dependencies: [
        .product(name: "Skein", package: "skein"),
        .product(name: "SkeinMatrix", package: "skein"),
        .product(name: "SkeinTransport", package: "skein"),
      ],
      path: "Sources/BenchMatrix", swiftSettings: settings),
  ])
