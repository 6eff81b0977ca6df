import Foundation
import Skein
import SkeinSimulation
import Testing

@Suite("Capabilities and their implementations")
struct CapabilitiesTests {
  private static let everything = ServerAbilities(
    idempotency: .window(.seconds(60)), ordering: .sparse, readMarks: true, media: true,
    echoesMessageID: .thisDevice, rehosting: true, sendDeadline: .seconds(7), largestContent: 1000,
    history: .all, reordersHistory: true, contacts: true, settings: .all, leaving: true, actions: .all,
    replies: true,
    mentions: true,
    receipts: .all, typing: true, presence: true, pipelining: true, renewal: true)
  private static let nothing = ServerAbilities(idempotency: .none, ordering: .arrival)

  private func backend(_ abilities: ServerAbilities) -> MemoryBackend {
    let runtime = Runtime.system(directory: FileManager.default.temporaryDirectory)
    return MemoryBackend(user: "alice", server: MemoryServer(), runtime: runtime, abilities: abilities)
  }

  @Test(
    "Capabilities that are routed through another backend keep their abilities",
    arguments: [everything, nothing])
  func routed(_ abilities: ServerAbilities) {
    let capabilities = backend(abilities).capabilities
    #expect(capabilities.abilities == abilities)
    #expect(capabilities.routed(through: AlteredBackend(inner: backend(Self.nothing))).abilities == abilities)
  }

  @Test("A backend with all abilities has every capability, including capabilities that are added later")
  func complete() {
    let capabilities = backend(Self.everything).capabilities
    for (name, value) in Mirror(reflecting: capabilities).children {
      #expect("\(value)" != "nil" && "\(value)" != "false", "\(name ?? "") is not carried over.")
    }
  }

  @Test("`AlteredBackend` implements every capability that is routed through it")
  func implementers() async throws {
    let capabilities = backend(Self.everything).capabilities
      .routed(through: AlteredBackend(inner: backend(Self.everything)))
    let implementers: [Any?] = [
      capabilities.readMarks, capabilities.deliveryReceipts, capabilities.media, capabilities.rehosting,
      capabilities.contacts, capabilities.leaving, capabilities.actions?.backend, capabilities.typing,
      capabilities.pipelining, capabilities.renewal,
    ]
    for implementer in implementers { #expect(implementer is AlteredBackend) }
  }

  @Test("A capability that is not stated is refused as unsupported")
  func missing() throws {
    let error = #expect(throws: BackendError.self) { try backend(Self.nothing).require(\.media) }
    #expect(error?.code == .unsupported)
    #expect(throws: BackendError.self) { try backend(Self.nothing).require(\.actions?.backend) }
    _ = try backend(Self.everything).require(\.media)
  }
}
