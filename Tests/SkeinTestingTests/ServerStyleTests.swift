import Skein
import SkeinTesting
import Testing

// Serialized: hundreds of checks at once would delay tests that wait with a deadline.
@Suite("Servers in memory fulfill the contract of a backend", .serialized)
struct ServerStyleTests {
  @Test("A server that numbers every message passes all checks", arguments: BackendCheck.all)
  func dense(_ check: BackendCheck) async throws {
    let outcome = try await check.run(on: StyledServer(.dense))
    #expect(outcome == .passed)
  }

  @Test(
    "A server whose message numbers have gaps and are not in receipts passes all checks that it supports",
    arguments: BackendCheck.all)
  func sparse(_ check: BackendCheck) async throws {
    let lacks: Set<CheckNeed> = [
      .pagesForward, .pagesAroundMessage, .pagesAtTime, .rehosting, .pipelining,
    ]
    let outcome = try await check.run(on: StyledServer(.sparse))
    #expect((outcome == .passed) == lacks.isDisjoint(with: check.needs), "\(outcome)")
  }

  private static let statesNoCounts: [CheckOutcome] = [
    .skipped(reason: "The server states no unread counts."),
    .skipped(reason: "The server states no counts of mentions."),
  ]

  @Test(
    "A server that pages by tokens, and not in the order of arrival, passes all checks that it supports",
    arguments: BackendCheck.all)
  func tokens(_ check: BackendCheck) async throws {
    let lacks: Set<CheckNeed> = [
      .positions, .endlessIdempotency, .contacts, .rehosting, .pipelining,
    ]
    let outcome = try await check.run(on: StyledServer(.tokens))
    if Self.statesNoCounts.contains(outcome) { return }
    #expect((outcome == .passed) == lacks.isDisjoint(with: check.needs), "\(outcome)")
  }

  @Test(
    "A server that has empty receipts and syncs from an archive passes all checks that it supports",
    arguments: BackendCheck.all)
  func archive(_ check: BackendCheck) async throws {
    let lacks: Set<CheckNeed> = [
      .positions, .media, .idempotency, .endlessIdempotency, .contacts, .edits, .recalls,
      .reactions, .pins, .stars, .mentions, .settings, .renewal, .pagesAroundMessage, .rehosting, .pipelining,
    ]
    let outcome = try await check.run(on: StyledServer(.archive))
    if Self.statesNoCounts.contains(outcome) { return }
    #expect((outcome == .passed) == lacks.isDisjoint(with: check.needs), "\(outcome)")
  }

  @Test(
    "The simulator's server passes all checks that it supports",
    arguments: BackendCheck.all)
  func simulated(_ check: BackendCheck) async throws {
    let lacks: Set<CheckNeed> = [
      .media, .losing, .renewal, .endingSessions, .expiringTokens, .outsidePosts, .restoring, .rehosting,
    ]
    let outcome = try await check.run(on: SimulatedServer())
    #expect((outcome == .passed) == lacks.isDisjoint(with: check.needs), "\(outcome)")
  }
}
