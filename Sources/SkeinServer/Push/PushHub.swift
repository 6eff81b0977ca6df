import SkeinWire
import Synchronization

/// Who listens for changes, and how they are told; so also who is there.
///
/// 1. Any number of pokes that a socket hasn't sent yet are one: a slow socket holds up nobody and gathers nothing. Of who comes
///    and goes it has the latest alone.
/// 2. Telling never waits, so it can be done from inside the database's writer, in commit order.
final class PushHub: Sendable {
  /// One socket's end of it.
  struct Listener: Sendable {
    fileprivate let number: UInt64
    fileprivate let user: Wire.UserID
    /// Something changed.
    let pokes: AsyncStream<Void>
    /// Who types, the newest where a socket is slow.
    let typing: AsyncStream<Wire.TypingFrame>
    /// ``PushHub/drainPresences(of:)`` has something.
    let presences: AsyncStream<Void>
    /// Ends when the session does.
    let session: AsyncStream<Never>
  }

  fileprivate struct Entry {
    let session: SessionID
    let pokes: AsyncStream<Void>.Continuation
    let typing: AsyncStream<Wire.TypingFrame>.Continuation
    let presences: AsyncStream<Void>.Continuation
    /// Whose coming and going it is to hear of.
    var peers: Set<Wire.UserID> = []
    /// Who came or went, and was not told yet.
    var untold: Set<Wire.UserID> = []
    let signOut: AsyncStream<Never>.Continuation
  }
  fileprivate struct State {
    var entries: [Wire.UserID: [UInt64: Entry]] = [:]
    var count: UInt64 = 0
    /// When those who have gone were last there, in milliseconds since 1970.
    var lastSeen: [Wire.UserID: Int64] = [:]
  }

  private let state = Mutex(State())

  /// Listens on behalf of a session, until ``stop(_:at:)``.
  func listen(_ user: Wire.UserID, session: SessionID) -> Listener {
    let (pokes, poke) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (typing, type) = AsyncStream.makeStream(
      of: Wire.TypingFrame.self, bufferingPolicy: .bufferingNewest(16))
    let (presences, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    return state.withLock { state in
      state.count += 1
      let isNew = state.entries[user] == nil
      state.entries[user, default: [:]][state.count] = Entry(
        session: session, pokes: poke, typing: type, presences: wake, signOut: end)
      if isNew { state.noteChange(of: user, to: Array(state.entries.keys)) }
      return Listener(
        number: state.count, user: user, pokes: pokes, typing: typing, presences: presences, session: ended)
    }
  }

  /// Forgets a listener.
  ///
  /// - Parameter time: in milliseconds since 1970.
  func stop(_ listener: Listener, at time: Int64) {
    state.withLock { state in
      guard let entry = state.entries[listener.user]?.removeValue(forKey: listener.number) else { return }
      entry.pokes.finish()
      entry.typing.finish()
      entry.presences.finish()
      entry.signOut.finish()
      guard state.entries[listener.user]?.isEmpty == true else { return }
      state.entries[listener.user] = nil
      state.lastSeen[listener.user] = time
      state.noteChange(of: listener.user, to: Array(state.entries.keys))
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

  /// Lets a user and others see each other come and go from now on.
  func acquaint(_ user: Wire.UserID, with others: Set<Wire.UserID>) {
    state.withLock { state in
      guard state.entries[user] != nil else { return }
      let online = others.filter { state.entries[$0] != nil }
      for number in Array((state.entries[user] ?? [:]).keys) {
        state.entries[user]?[number]?.peers.formUnion(others)
      }
      for other in online {
        for number in Array((state.entries[other] ?? [:]).keys) {
          state.entries[other]?[number]?.peers.insert(user)
        }
        state.noteChange(of: other, to: [user])
      }
      state.noteChange(of: user, to: online)
    }
  }

  /// Who came or went that a listener was not told of, as they are now.
  func drainPresences(of listener: Listener) -> [Wire.PresenceFrame] {
    state.withLock { state in
      let users = state.entries[listener.user]?[listener.number]?.untold ?? []
      state.entries[listener.user]?[listener.number]?.untold = []
      return users.sorted { $0.rawValue < $1.rawValue }.map { user in
        let isOnline = state.entries[user] != nil
        return Wire.PresenceFrame(
          user: user, isOnline: isOnline, lastSeen: isOnline ? nil : state.lastSeen[user])
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

extension PushHub.State {
  /// Has those hear of somebody who came or went who may.
  fileprivate mutating func noteChange(of user: Wire.UserID, to peers: some Sequence<Wire.UserID>) {
    for peer in peers {
      for number in Array((entries[peer] ?? [:]).keys)
      where entries[peer]?[number]?.peers.contains(user) == true {
        entries[peer]?[number]?.untold.insert(user)
        entries[peer]?[number]?.presences.yield()
      }
    }
  }
}
