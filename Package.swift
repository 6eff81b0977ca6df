// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for all our code: complete concurrency checking, explicit imports, no warnings.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "skein",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Skein", targets: ["Skein"]),
    .library(name: "SkeinCards", targets: ["SkeinCards"]),
    .library(name: "SkeinModel", targets: ["SkeinModel"]),
    .library(name: "SkeinHTTP", targets: ["SkeinHTTP"]),
    .library(name: "SkeinMatrix", targets: ["SkeinMatrix"]),
    .library(name: "SkeinServer", targets: ["SkeinServer"]),
    .library(name: "SkeinSimulation", targets: ["SkeinSimulation"]),
    .library(name: "SkeinStorage", targets: ["SkeinStorage"]),
    .library(name: "SkeinTerminal", targets: ["SkeinTerminal"]),
    .library(name: "SkeinTesting", targets: ["SkeinTesting"]),
    .library(name: "SkeinTransport", targets: ["SkeinTransport"]),
    .library(name: "SkeinSockets", targets: ["SkeinSockets"]),
    .library(name: "SkeinWeb", targets: ["SkeinWeb"]),
    .library(name: "SkeinWire", targets: ["SkeinWire"]),
    .executable(name: "skein", targets: ["SkeinCommand"]),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .systemLibrary(
      name: "CWebSockets", pkgConfig: "libwebsockets",
      providers: [
        .apt(["libwebsockets-dev", "libwebsockets-evlib-ev", "libev-dev"]),
        .brew(["libwebsockets", "libev"]),
      ]),

    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),

    .target(name: "SkeinStorage", dependencies: ["CSQLite"], swiftSettings: settings),
    .target(
      name: "CSockets",
      dependencies: [.target(name: "CWebSockets", condition: .when(platforms: [.linux]))],
      linkerSettings: [.linkedLibrary("ev", .when(platforms: [.linux]))]),
    .target(name: "CTransfers", dependencies: ["CCurl"]),
    .target(name: "CPowerCut", dependencies: ["CSQLite"]),
    .target(
      name: "SkeinSockets",
      dependencies: [.target(name: "CSockets", condition: .when(platforms: [.linux]))],
      swiftSettings: settings),

    .target(
      name: "SkeinModel",
      dependencies: [.target(name: "CSodium", condition: .when(platforms: [.linux]))],
      swiftSettings: settings),

    .target(
      name: "Skein",
      dependencies: ["SkeinModel", "SkeinStorage"],
      swiftSettings: settings),

    .target(name: "SkeinCards", dependencies: ["Skein"], swiftSettings: settings),

    .target(name: "SkeinTerminal", dependencies: ["Skein", "SkeinCards"], swiftSettings: settings),

    .target(
      name: "SkeinWeb", dependencies: ["Skein", "SkeinCards", "SkeinSockets"],
      resources: [.embedInCode("Assets")], swiftSettings: settings),

    // Examples for apps; the files are independent of each other.
    .target(
      name: "SkeinExamples", dependencies: ["Skein", "SkeinCards", "SkeinWeb"], path: "Examples",
      swiftSettings: settings),

    .target(
      name: "SkeinSimulation", dependencies: ["CPowerCut", "Skein", "SkeinModel", "SkeinStorage"],
      swiftSettings: settings),

    .target(name: "SkeinTesting", dependencies: ["SkeinModel"], swiftSettings: settings),

    .target(
      name: "SkeinTransport",
      dependencies: ["SkeinModel", .target(name: "CTransfers", condition: .when(platforms: [.linux]))],
      swiftSettings: settings),

    .target(name: "SkeinWire", swiftSettings: settings),
    .target(
      name: "SkeinHTTP", dependencies: ["SkeinModel", "SkeinSockets", "SkeinTransport", "SkeinWire"],
      swiftSettings: settings),
    .target(
      name: "SkeinMatrix", dependencies: ["SkeinModel", "SkeinTransport"], swiftSettings: settings),
    .target(
      name: "SkeinServer",
      dependencies: ["SkeinStorage", "SkeinSockets", "SkeinWire", "CSodium", "CTransfers"],
      swiftSettings: settings),

    // The product is `skein`. The target has another name, since some file systems do not distinguish `Skein` and `skein`.
    .executableTarget(
      name: "SkeinCommand",
      dependencies: [
        "Skein", "SkeinCards", "SkeinExamples", "SkeinHTTP", "SkeinMatrix", "SkeinServer", "SkeinSimulation",
        "SkeinTerminal", "SkeinWeb", "CSodium",
      ],
      swiftSettings: settings),

    .testTarget(
      name: "SkeinStorageTests", dependencies: ["SkeinStorage"], swiftSettings: settings),
    .testTarget(
      name: "SkeinSocketsTests", dependencies: ["SkeinSockets"], swiftSettings: settings),
    .testTarget(
      name: "SkeinTransportTests", dependencies: ["SkeinModel", "SkeinTransport"],
      swiftSettings: settings),
    .testTarget(
      name: "SkeinTests", dependencies: ["Skein", "SkeinSimulation", "SkeinStorage"],
      swiftSettings: settings),
    .testTarget(
      name: "SkeinSimulationTests", dependencies: ["Skein", "SkeinSimulation"], swiftSettings: settings),
    .testTarget(
      name: "SkeinCardsTests",
      dependencies: ["Skein", "SkeinCards", "SkeinExamples", "SkeinSimulation", "SkeinWeb"],
      swiftSettings: settings),
    .testTarget(
      name: "SkeinTerminalTests", dependencies: ["Skein", "SkeinCards", "SkeinTerminal"],
      swiftSettings: settings),
    .testTarget(
      name: "SkeinWebTests", dependencies: ["Skein", "SkeinWeb"], swiftSettings: settings),
    .testTarget(
      name: "SkeinTestingTests",
      dependencies: ["Skein", "SkeinHTTP", "SkeinServer", "SkeinSimulation", "SkeinSockets", "SkeinTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "SkeinServerTests",
      dependencies: ["SkeinServer", "SkeinSockets", "SkeinStorage", "SkeinWire"],
      swiftSettings: settings),
    .testTarget(
      name: "SkeinHTTPTests",
      dependencies: ["Skein", "SkeinHTTP", "SkeinServer", "SkeinSockets", "SkeinWire"],
      swiftSettings: settings),
    .testTarget(
      name: "SkeinMatrixTests",
      dependencies: [
        "Skein", "SkeinMatrix", "SkeinModel", "SkeinSockets", "SkeinTesting", "SkeinTransport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SkeinCommandTests",
      dependencies: [
        "Skein", "SkeinCards", "SkeinCommand", "SkeinHTTP", "SkeinMatrix", "SkeinServer", "SkeinSockets",
        "SkeinTerminal",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ReadmeTests",
      dependencies: [
        "Skein", "SkeinCards", "SkeinHTTP", "SkeinModel", "SkeinServer", "SkeinSimulation", "SkeinSockets",
        "SkeinTerminal", "SkeinTesting", "SkeinTransport", "SkeinWeb",
      ],
      swiftSettings: settings),
    .testTarget(name: "ArchitectureTests", swiftSettings: settings),
  ]
)
