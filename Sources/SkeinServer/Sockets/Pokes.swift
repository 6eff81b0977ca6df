import SkeinWire
import Synchronization

/// Who listens for changes, and how they are told.
///
/// 1. Any number of pokes that a socket hasn't sent yet are one: a slow socket holds up nobody and gathers nothing.
/// 2. Telling never waits, so it can be done from inside the database's writer, in commit order.
final class Pokes: Sendable {
  /// One socket's end of it.
  struct Listener: Sendable {
    fileprivate let number: UInt64
    fileprivate let user: Wire.UserID
    /// Something changed.
    let pokes: AsyncStream<Void>
    /// Who types, the newest where a socket is slow.
    let typing: AsyncStream<Wire.TypingFrame>
    /// Ends when the session does.
    let session: AsyncStream<Never>
  }

  private struct Entry {
    let session: SessionID
    let pokes: AsyncStream<Void>.Continuation
    let typing: AsyncStream<Wire.TypingFrame>.Continuation
    let signOut: AsyncStream<Never>.Continuation
  }
  private struct State {
    var entries: [Wire.UserID: [UInt64: Entry]] = [:]
    var count: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Listens on behalf of a session, until ``stop(_:)``.
  func listen(_ user: Wire.UserID, session: SessionID) -> Listener {
    let (pokes, poke) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (typing, type) = AsyncStream.makeStream(
      of: Wire.TypingFrame.self, bufferingPolicy: .bufferingNewest(16))
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    return state.withLock { state in
      state.count += 1
      state.entries[user, default: [:]][state.count] = Entry(
        session: session, pokes: poke, typing: type, signOut: end)
      return Listener(number: state.count, user: user, pokes: pokes, typing: typing, session: ended)
    }
  }

  /// Forgets a listener.
  func stop(_ listener: Listener) {
    state.withLock { state in
      let entry = state.entries[listener.user]?.removeValue(forKey: listener.number)
      entry?.pokes.finish()
      entry?.typing.finish()
      entry?.signOut.finish()
      if state.entries[listener.user]?.isEmpty == true { state.entries[listener.user] = nil }
    }
  }

  /// Tells every listener of these users that something changed.
  func poke(_ users: some Sequence<Wire.UserID>) {
    state.withLock { state in
      for user in users {
        for entry in (state.entries[user] ?? [:]).values { entry.pokes.yield() }
      }
    }
  }

  /// Tells every listener of these users that somebody types.
  func tell(_ frame: Wire.TypingFrame, to users: some Sequence<Wire.UserID>) {
    state.withLock { state in
      for user in users {
        for entry in (state.entries[user] ?? [:]).values { entry.typing.yield(frame) }
      }
    }
  }

  /// Tells a session's listeners that it ended.
  func signOut(_ user: Wire.UserID, _ session: SessionID) {
    state.withLock { state in
      for entry in (state.entries[user] ?? [:]).values where entry.session == session {
        entry.signOut.finish()
      }
    }
  }

  /// How many listen.
  var count: Int { state.withLock { $0.entries.values.reduce(0) { $0 + $1.count } } }
}
