import SkeinStorage
import SkeinWire

/// Stores messages, many to a transaction: what arrives while one commit waits for the disk goes into the next.
///
/// 1. An outcome is given out after the commit that holds it, which survives a power cut.
/// 2. Members are told after the commit too, in commit order: who is told finds the message.
/// 3. One message's refusal leaves its neighbours alone; a failed commit fails all that were in it.
actor MessageCommits {
  private let database: Database
  private let pokes: Pokes
  private let now: @Sendable () -> Int64
  private var gathered: [Posting] = []
  /// The commit that `gathered` will go into.
  private var next: Task<[Posting.Outcome], any Error>?
  /// The newest commit, running or not.
  private var last: Task<[Posting.Outcome], any Error>?

  /// Commits to a database, and tells members through `pokes`.
  init(_ database: Database, _ pokes: Pokes, now: @escaping @Sendable () -> Int64) {
    self.database = database
    self.pokes = pokes
    self.now = now
  }

  /// Stores a message with the next commit. Goes on even if the caller is cancelled.
  func post(_ posting: Posting) async throws -> Posting.Outcome {
    let place = gathered.count
    gathered.append(posting)
    return try await (next ?? startNext()).value[place]
  }

  private func startNext() -> Task<[Posting.Outcome], any Error> {
    let task = Task { [last] in
      _ = await last?.result
      return try await commit()
    }
    next = task
    last = task
    return task
  }

  private func commit() async throws -> [Posting.Outcome] {
    let postings = gathered, time = now()
    gathered = []
    next = nil
    return try await database.write(.powerCut) { transaction in
      let outcomes = try postings.map { try $0.store(in: transaction, at: time) }
      return (outcomes, try transaction.audience(of: outcomes))
    } committed: { [pokes] (_: [Posting.Outcome], audience: Set<Wire.UserID>) in
      pokes.poke(audience)
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
