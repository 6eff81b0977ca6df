import SkeinStorage
import SkeinWire

/// Stores messages in group commits: messages that arrive during one commit share the next commit.
///
/// 1. An outcome is returned after its commit, which survives a power cut.
/// 2. Members are poked after the commit, in commit order, so a poked client finds the message.
/// 3. A refusal or failure of one message does not affect the other messages in the commit.
actor MessageCommits {
  private typealias Attempt = Result<Posting.Outcome, any Error>
  private typealias Commit = Task<[Attempt], any Error>

  private let database: Database
  private let pushHub: PushHub
  private let now: @Sendable () -> Int64
  private var gathered: [Posting] = []
  /// The commit that will store `gathered`.
  private var next: Commit?
  /// The newest commit. It may be waiting, running or complete.
  private var last: Commit?

  /// Commits to a database, and pokes members through `pushHub`.
  init(_ database: Database, _ pushHub: PushHub, now: @escaping @Sendable () -> Int64) {
    self.database = database
    self.pushHub = pushHub
    self.now = now
  }

  /// A message that waits for its commit; a commit stores messages in the order in which they were added.
  struct Pending: Sendable {
    fileprivate let commit: Task<[Result<Posting.Outcome, any Error>], any Error>
    fileprivate let place: Int

    /// Waits for the commit, which survives a power cut, and returns the outcome.
    var outcome: Posting.Outcome {
      get async throws { try await commit.value[place].get() }
    }
  }

  /// Stores a message with the next commit, even if the caller is cancelled.
  func post(_ posting: Posting) async throws -> Posting.Outcome { try await add(posting).outcome }

  /// Adds a message to the next commit.
  func add(_ posting: Posting) -> Pending {
    let place = gathered.count
    gathered.append(posting)
    return Pending(commit: next ?? startNext(), place: place)
  }

  private func startNext() -> Commit {
    let task = Task { [last] in
      _ = await last?.result
      return try await commit()
    }
    next = task
    last = task
    return task
  }

  private func commit() async throws -> [Attempt] {
    let postings = gathered
    gathered = []
    next = nil
    do {
      return try await store(postings).map { .success($0) }
    } catch let error as StorageError where error.code == .busy || error.code == .closed {
      throw error
    } catch {
      // One message may have made the commit fail, so each message is stored in a commit of its own.
      var results: [Attempt] = []
      for posting in postings {
        do { results += try await store([posting]).map { .success($0) } } catch {
          results.append(.failure(error))
        }
      }
      return results
    }
  }

  private func store(_ postings: [Posting]) async throws -> [Posting.Outcome] {
    let time = now()
    return try await database.write(.powerCut) { transaction in
      let outcomes = try postings.map { try $0.store(in: transaction, at: time) }
      return (outcomes, try transaction.audience(of: outcomes))
    } committed: { [pushHub] (_: [Posting.Outcome], audience: Set<Wire.UserID>) in
      pushHub.poke(audience)
    }.0
  }
}

extension WriteTransaction {
  /// The members of the conversations that got a new message.
  fileprivate func audience(of outcomes: [Posting.Outcome]) throws -> Set<Wire.UserID> {
    let conversations = Set(
      outcomes.compactMap { if case .stored(let message) = $0 { message.conversation } else { nil } })
    return Set(try conversations.flatMap { try members(of: $0) })
  }
}
