import Foundation
import SkeinSimulation
import SkeinStorage
import Testing

@testable import Skein

@Suite("Query plans")
struct QueryPlanTests {
  /// Statements that may read a whole table or sort its rows: a part of their SQL, and the reason.
  private static let exceptions = [
    ("FROM `operation` ORDER BY id", "the outbox is read as a whole at a start"),
    ("FROM `operation` WHERE (SELECT status", "the outbox is read as a whole at a start"),
    ("SELECT DISTINCT target FROM operation WHERE conversation", "sorts the actions that wait in one chat"),
    ("FROM `contact` WHERE removed IS", "the contacts are listed as a whole, or read once at a start"),
    ("FROM `conversation` WHERE is_closed = 0 AND is_hidden = 0", "the chats are listed as a whole"),
    ("JOIN conversation ON conversation.last_message = message.id", "the chats are listed as a whole"),
    ("FROM `conversation` WHERE is_closed = 1 AND EXISTS", "read once at a start, for removed contacts"),
    ("FROM `conversation` WHERE invitation IS NOT NULL", "once in a sync from the beginning"),
    ("FROM `conversation` WHERE type = ? AND ref IS NOT NULL", "before a fetch of the whole contact list"),
    ("FROM `conversation` WHERE version > ?", "after a commit of another process"),
    ("FROM conversation WHERE is_closed = 1", "the closed chats, which lists of starred messages leave out"),
    ("FROM conversation ORDER BY id", "after a change of the epoch"),
    ("FROM `upload` WHERE media IS NOT NULL", "the uploads of the last days, once at a start"),
    ("AND (status = ? OR failure_code = ?) ORDER BY id LIMIT 1", "places the failed message that is oldest"),
    ("UPDATE message SET rank = -2 * place", "after a change of the epoch, which moves every message"),
    ("UPDATE reply SET server_id = NULL", "after a change of the epoch"),
    ("UPDATE operation SET outcome_is_unknown = 1", "once in a copied database, for the outbox as a whole"),
    ("UPDATE operation SET attempts = max", "once in a copied database, for the outbox as a whole"),
    ("sqlite_schema", "when the database is opened"), ("pragma_table_xinfo", "when the database is opened"),
    ("status > 2 AND is_hidden = 0 ORDER BY +id", "sorts the failed messages, which are few"),
  ]

  @Test(
    "Except for the listed statements, simulated clients neither read whole tables nor sort or group rows")
  func plans() async throws {
    var statements: Set<String> = []
    for seed: UInt64 in 300..<304 {
      statements.formUnion(try await Self.play(seed).statements)
    }
    #expect(statements.count > 150)
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try await Database.open(
      at: folder.appending(path: "chat.sqlite"), schema: ChatSchema.current)
    for statement in statements.sorted() where Self.isQuery(statement) {
      let steps = try await database.read { try Self.plan(of: statement, in: $0) }
      let costly = steps.filter(Self.isCostly)
      let isException = Self.exceptions.contains { part, _ in statement.contains(part) }
      #expect(isException || costly.isEmpty, "\(costly) \(statement)")
    }
    await database.close()
  }

  private static func play(_ seed: UInt64) async throws -> SimulatedOutcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try Simulation.run(seed: seed, in: Simulation.folder, keepsStatements: true) })
      }
    }
  }

  private static func isQuery(_ statement: String) -> Bool {
    ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains { statement.hasPrefix($0) }
  }

  /// The steps of SQLite's plan for a statement; its parameters have no effect on the plan.
  private static func plan(of statement: String, in rows: ReadTransaction) throws -> [String] {
    let named = statement.replacing(/\?\d*/, with: "?1")
    let columns = (Int.self, Int.self, Int.self, String.self)
    let explained = "EXPLAIN QUERY PLAN " + named
    let steps =
      named.contains("?1") ? try rows.rows(columns, explained, 0) : try rows.rows(columns, explained)
    return steps.map(\.3)
  }

  /// Whether a step reads a whole table, or collects rows to sort or group them.
  private static func isCostly(_ step: String) -> Bool {
    // A partial index contains the few rows that are asked for.
    let isScan =
      step.hasPrefix("SCAN ")
      && !["CONSTANT ROW", "VIRTUAL TABLE", "_partial"].contains(where: step.contains)
    return isScan || step.contains("TEMP B-TREE")
  }
}
