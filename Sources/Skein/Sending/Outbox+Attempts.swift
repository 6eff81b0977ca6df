#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// One step of one operation, from the database to the server and back.
extension Outbox {
  /// Gets the operation's message ready; each step is stored before the next.
  func prepare(_ operation: OperationID) async throws {
    let message = try await store.write(.kill) { try $0.beginPreparing(operation) }
    guard let message else { return }
    try await preparation.prepare(message, by: operation)
  }

  /// Carries the operation out.
  func perform(_ operation: OperationID) async throws {
    let repeatsUnknown = backend.capabilities.idempotency == .forever
    let begun = try await store.write(.powerCut) { try $0.begin(operation, repeatsUnknown: repeatsUnknown) }
    guard let (row, message) = begun else { return }
    switch row.kind {
    case .open: try await open(row)
    case .send: if let message { try await post(message, by: row) }
    }
  }

  private func open(_ operation: OperationRow) async throws {
    let request = try JSONDecoder().decode(ConversationRequest.self, from: operation.parameters ?? Data())
    let info = try await backend.open(request)
    try await store.write(.powerCut) { try $0.opened(operation.id, info) }
  }

  private func post(_ message: MessageRow, by operation: OperationRow) async throws {
    let ref = try await store.read { try $0.find(ConversationRow.self, message.conversation)?.ref }
    guard let ref else { throw SendFailure(.conversationRefused, "The conversation could not be opened.") }
    let receipt = try await backend.send(
      OutgoingMessage(id: message.messageID, conversation: ref, kind: message.kind, payload: message.payload))
    try await store.write(.powerCut) { try $0.acknowledge(operation.id, receipt) }
    preparation.discardCopies(of: message.messageID)
  }
}
