import Foundation
public import SkeinModel

extension MatrixBackend {
  /// Polls the homeserver, which answers as soon as there is news: reports `.connected` after the first answer, then a
  /// batch for each answer with news, and the typing and presence of other users.
  ///
  /// A poll starts where the newest answer of this backend ended, so that a batch continues from the stored cursor. The
  /// sync that the engine makes beside the channel starts at the given cursor. If there is none, the device is new, and
  /// the channel accepts the pending invitations first.
  ///
  /// - Throws: `BackendError`, with `unauthorized` if the session has ended, `unreachable` if the homeserver can't be
  ///   reached.
  public func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    memory.channelChanged()
    defer { memory.channelChanged() }
    var batches = memory.newest.number
    let filter = cursor == nil ? SyncFilter.start : SyncFilter.presence
    let first = try await poll(
      [("timeout", "0"), ("filter", try filter.numbered().text())], within: options.deadline)
    if options.acceptsInvitations { _ = try await accept(first.invitations(to: user)) }
    // Nothing but typing and presence has happened between the two cursors.
    var (base, position) = (first.next, first.next)
    var typing: [ConversationRef: Set<UserID>] = [:]
    await receive(.connected)
    await report(first, &typing, receive)
    async let _: Void = joinUnjoined()
    while true {
      let newest = memory.newest
      if newest.number != batches, let cursor = newest.cursor {
        (base, position, batches) = (cursor, cursor, newest.number)
      }
      // The homeserver answers soon while somebody is typing.
      let timeout = typing.isEmpty ? options.pollTimeout : min(options.pollTimeout, .seconds(4))
      let filter = try SyncFilter.news(limit: options.pushLimit, isPush: true).text()
      let wait = String(max(timeout.milliseconds, 0))
      let query = [("timeout", wait), ("since", position.rawValue), ("filter", filter)]
      let answer = try await poll(query, within: options.pollTimeout + options.deadline)
      let next = ContinuousClock.now + options.pollPause
      position = answer.next
      if answer.hasNews(for: user) {
        do {
          let batch = try await batch(answer, since: base, options.pushLimit)
          batches = memory.learn(newest: batch.next)
          base = batch.next
          await receive(.batch(batch))
        } catch let error as BackendError where error.code != .unauthorized {
          // The answer's news is fetched by the sync that follows. Until then, no batch continues from the stored cursor.
          base = position
          await receive(.poke)
        }
      }
      await report(answer, &typing, receive)
      try await Task.sleep(until: next, clock: .continuous)
    }
  }

  private func poll(_ query: [(String, String)], within limit: Duration) async throws -> SyncAnswer {
    try SyncAnswer(await polls.get(["sync"], [("set_presence", "online")] + query, within: limit))
  }

  /// Reports who types and who is online.
  private func report(
    _ answer: SyncAnswer, _ typing: inout [ConversationRef: Set<UserID>], _ receive: BackendReceiver
  ) async {
    for (room, news) in answer.joined {
      guard let users = news.typing.map(Set.init)?.subtracting([user]) else { continue }
      for other in typing[room, default: []].subtracting(users).sorted(by: { $0.rawValue < $1.rawValue }) {
        await receive(.typing(room, other, isTyping: false))
      }
      typing[room] = users.isEmpty ? nil : users
    }
    // No typing is reported of a room that the account has left.
    for room in answer.left {
      for other in typing.removeValue(forKey: room)?.sorted(by: { $0.rawValue < $1.rawValue }) ?? [] {
        await receive(.typing(room, other, isTyping: false))
      }
    }
    // The homeserver reports typing once, when it begins. The engine expects it again every few seconds.
    for room in typing.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      for other in typing[room, default: []].sorted(by: { $0.rawValue < $1.rawValue }) {
        await receive(.typing(room, other, isTyping: true))
      }
    }
    for (other, presence) in answer.presences(at: .now) where other != user {
      await receive(.presence(other, presence))
    }
  }
}

extension Timestamp {
  /// The time by this device's clock.
  static var now: Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
}
