import SkeinStorage
import Synchronization

/// Posts the next messages of a lane together, if the backend keeps their order.
///
/// The starts of the messages are stored in one transaction, and so are the receipts that arrive together.
/// The lane continues once every message has an outcome. If the server did not store a message, the messages
/// behind it are posted again after it.
extension Outbox {
  /// The maximum number of messages that are posted together.
  private static let longestPipeline = 64

  private static let unreported = BackendError(
    .transient, "The backend reported no outcome.", outcomeIsUnknown: true)

  /// A message that is being posted with others.
  private struct Post {
    let message: MessageRow
    let operation: OperationRow
  }

  /// The backend's implementation of pipelining; nil if each message has to wait for the receipt of the
  /// message before it.
  var pipelining: (any PipeliningBackend)? {
    let capabilities = backend.capabilities
    return capabilities.idempotency == .forever ? capabilities.pipelining : nil
  }

  /// The operations whose messages are posted together, beginning with `operation`, and the backend that
  /// posts them. Nil if `operation` is carried out alone.
  func pipeline(behind operation: OperationID) -> (backend: any PipeliningBackend, operations: [OperationID])?
  {
    guard let backend = pipelining else { return nil }
    let now = runtime.uptime()
    let others = lanes.change(of: operation) {
      $0.following(operation, at: now, limit: Self.longestPipeline - 1)
    }
    guard let others, !others.isEmpty else { return nil }
    return (backend, [operation] + others)
  }

  /// Posts messages together, and stores their outcomes. An operation whose outcome is stored may be under way again
  /// before this returns.
  func post(_ operations: [OperationID], over backend: any PipeliningBackend) async {
    var waiting: [MessageID: Post] = [:]
    var hasSuspect = false
    var unsettled = operations
    do {
      let posts = try await start(operations)
      unsettled = posts.map(\.post.operation.id)
      if posts.isEmpty { return }
      for (post, _) in posts { waiting[post.message.messageID] = post }
      let outcomes = SendOutcomes()
      async let sending: Void = {
        await backend.send(posts.map(\.outgoing)) { outcomes.add($0, $1) }
        outcomes.end()
      }()
      while !waiting.isEmpty, !Task.isCancelled {
        await outcomes.doorbell.wait()
        if outcomes.haveEnded {
          for (post, _) in posts { outcomes.add(post.message.messageID, .failure(Self.unreported)) }
        }
        let found = outcomes.takeAll().compactMap { id, outcome in
          waiting.removeValue(forKey: id).map { ($0, outcome) }
        }
        // If the connection breaks, only the first message without an answer can be the cause.
        unsettled.removeAll { operation in
          found.contains { $0.0.operation.id == operation && $0.1.isSuccess }
        }
        let first = unsettled.first
        unsettled.removeAll { operation in found.contains { $0.0.operation.id == operation } }
        await settle(found, suspect: hasSuspect ? nil : first)
        hasSuspect = hasSuspect || unsettled.first != first
      }
      await sending
    } catch is CancellationError where Task.isCancelled {
      // The lane is told below.
    } catch {
      for operation in operations { await failed(operation, error, isSuspect: operation == operations.first) }
      unsettled = []
    }
    let now = runtime.uptime()
    for operation in unsettled {
      lanes.change(of: operation) { $0.interrupted(operation, at: now) }
      forget(operation)
    }
  }

  /// Stores the starts of attempts. Operations whose message is gone or already sent are ended.
  private func start(_ operations: [OperationID]) async throws -> [(post: Post, outgoing: OutgoingMessage)] {
    let now = runtime.uptime()
    let attempts = try await writeAttempts(of: operations) { work in
      try operations.map { try Attempts(work).start($0, mayRepeat: true) }
    }
    var posts: [(Post, OutgoingMessage)] = []
    for (operation, attempt) in zip(operations, attempts) {
      guard case .post(let message, let ref, let replyTo, let before) = attempt else {
        lanes.change(of: operation) { $0.ended(operation) }
        forget(operation)
        continue
      }
      if !before.outcomeIsUnknown { firstAttempts[operation] = (now, ref) }
      do {
        let request = try await unlessRefused(message, by: before) {
          try outgoing(message, to: ref, replyTo: replyTo)
        }
        posts.append((Post(message: message, operation: before), request))
      } catch {
        await failed(operation, error)
        forget(operation)
      }
    }
    return posts
  }

  /// Stores outcomes that arrived together: all receipts in one transaction, and each failure in a separate
  /// transaction.
  ///
  /// - Parameter suspect: the operation that may be the cause of a failure without an answer.
  private func settle(_ outcomes: [(Post, Result<SendReceipt, any Error>)], suspect: OperationID?) async {
    let receipts = outcomes.compactMap { post, outcome in (try? outcome.get()).map { (post, $0) } }
    let areStored = receipts.isEmpty ? true : await areStored(receipts)
    for (post, outcome) in outcomes {
      let operation = post.operation.id
      do {
        let receipt = try await unlessRefused(post.message, by: post.operation) { try outcome.get() }
        // A receipt that can't be stored must not prevent the storing of the other receipts.
        if !areStored {
          try await writeAttempts(of: [operation]) { try Attempts($0).acknowledge(post.message.id, receipt) }
        }
        if post.operation.isMedia { await preparation.discardCopies(of: post.message.messageID) }
        succeeded(operation)
      } catch is CancellationError where Task.isCancelled {
        lanes.change(of: operation) { $0.interrupted(operation, at: runtime.uptime()) }
      } catch {
        await failed(operation, error, isSuspect: operation == suspect)
      }
      forget(operation)
    }
  }

  /// Stores receipts in one transaction. Returns false if none was stored, because one of them can't be
  /// stored.
  private func areStored(_ receipts: [(Post, SendReceipt)]) async -> Bool {
    do {
      try await writeAttempts(of: receipts.map(\.0.operation.id)) { work in
        for (post, receipt) in receipts { try Attempts(work).acknowledge(post.message.id, receipt) }
      }
      return true
    } catch {
      return false
    }
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

/// The outcomes that the backend has reported for messages posted together, until the outbox takes them.
private final class SendOutcomes: Sendable {
  private typealias Outcome = (MessageID, Result<SendReceipt, any Error>)

  private let reported = Mutex<[Outcome]>([])
  private let isOver = Mutex(false)
  let doorbell = Doorbell()

  func add(_ message: MessageID, _ outcome: Result<SendReceipt, any Error>) {
    reported.withLock { $0.append((message, outcome)) }
    doorbell.ring()
  }

  /// The backend reports no more outcomes.
  func end() {
    isOver.withLock { $0 = true }
    doorbell.ring()
  }

  var haveEnded: Bool { isOver.withLock { $0 } }

  func takeAll() -> [(MessageID, Result<SendReceipt, any Error>)] {
    reported.withLock { reported in
      defer { reported = [] }
      return reported
    }
  }
}
