import SkeinStorage
import SkeinWire

/// Stores messages, many to a transaction: what arrives while one commit waits for the disk goes into the next.
///
/// 1. An outcome is given out after the commit that holds it, which survives a power cut.
/// 2. Members are told after the commit too, in commit order: who is told finds the message.
/// 3. What one message meets, refusal or failure, leaves those that were gathered with it alone.
actor MessageCommits {
  private typealias Attempt = Result<Posting.Outcome, any Error>
  private typealias Commit = Task<[Attempt], any Error>

  private let database: Database
  private let pushHub: PushHub
  private let now: @Sendable () -> Int64
  private var gathered: [Posting] = []
  /// The commit that `gathered` will go into.
  private var next: Commit?
  /// The newest commit, running or not.
  private var last: Commit?

  /// Commits to a database, and tells members through `pushHub`.
  init(_ database: Database, _ pushHub: PushHub, now: @escaping @Sendable () -> Int64) {
    self.database = database
    self.pushHub = pushHub
    self.now = now
  }

  /// A message that goes into a commit, and in the order in which they were added.
  struct Pending: Sendable {
    fileprivate let commit: Task<[Result<Posting.Outcome, any Error>], any Error>
    fileprivate let place: Int

    /// What became of it, once that survives a power cut.
    var outcome: Posting.Outcome {
      get async throws { try await commit.value[place].get() }
    }
  }

  /// Stores a message with the next commit. Goes on even if the caller is cancelled.
  func post(_ posting: Posting) async throws -> Posting.Outcome { try await add(posting).outcome }

  /// Puts a message into the next commit.
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
      // One of them may be what failed, so each tries alone.
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
  /// Everyone who can see one of the messages that were stored.
  fileprivate func audience(of outcomes: [Posting.Outcome]) throws -> Set<Wire.UserID> {
    let conversations = Set(
      outcomes.compactMap { if case .stored(let message) = $0 { message.conversation } else { nil } })
    return Set(try conversations.flatMap { try members(of: $0) })
  }
}
