import SkeinWire
import Synchronization

/// Delivers pokes, typing and presence to the connected sockets.
///
/// 1. The unsent pokes of a socket are merged into one poke, and the unsent presence changes of one user into one
///    change. Only the newest unsent typing frames are kept. So a slow socket delays no other socket, and the queues of
///    the slow socket stay small.
/// 2. Sending never waits, so the database's writer can poke between two commits, in commit order.
final class PushHub: Sendable {
  /// The events of one socket.
  struct Listener: Sendable {
    fileprivate let number: UInt64
    fileprivate let user: Wire.UserID
    /// Yields when something has changed.
    let pokes: AsyncStream<Void>
    /// The newest typing frames; a slow socket misses older frames.
    let typing: AsyncStream<Wire.TypingFrame>
    /// Yields when ``PushHub/drainPresences(of:)`` has frames.
    let presences: AsyncStream<Void>
    /// Ends when the session is signed out or the listener is removed.
    let session: AsyncStream<Never>
  }

  fileprivate struct Entry {
    let user: Wire.UserID
    let session: SessionID
    let pokes: AsyncStream<Void>.Continuation
    let typing: AsyncStream<Wire.TypingFrame>.Continuation
    let presences: AsyncStream<Void>.Continuation
    /// The users whose presence the socket receives.
    var peers: Set<Wire.UserID> = []
    /// The users whose new presence was not sent yet.
    var unsent: Set<Wire.UserID> = []
    let signOut: AsyncStream<Never>.Continuation
  }
  fileprivate struct State {
    /// The sockets, by their numbers.
    var entries: [UInt64: Entry] = [:]
    /// The sockets of each online user.
    var online: [Wire.UserID: Set<UInt64>] = [:]
    /// The sockets that receive each user's presence; a change of the presence visits only these sockets.
    var watchers: [Wire.UserID: Set<UInt64>] = [:]
    var count: UInt64 = 0
    /// When each user last went offline, in milliseconds since 1970.
    var lastSeen: [Wire.UserID: Int64] = [:]
  }

  private let state = Mutex(State())

  /// Adds a listener of a session. ``stop(_:at:)`` removes the listener.
  func listen(_ user: Wire.UserID, session: SessionID) -> Listener {
    let (pokes, poke) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (typing, type) = AsyncStream.makeStream(
      of: Wire.TypingFrame.self, bufferingPolicy: .bufferingNewest(16))
    let (presences, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    return state.withLock { state in
      state.count += 1
      let isNew = state.online[user] == nil
      state.entries[state.count] = Entry(
        user: user, session: session, pokes: poke, typing: type, presences: wake, signOut: end)
      state.online[user, default: []].insert(state.count)
      if isNew { state.notePresence(of: user) }
      return Listener(
        number: state.count, user: user, pokes: pokes, typing: typing, presences: presences, session: ended)
    }
  }

  /// Removes a listener.
  ///
  /// - Parameter time: the current time, in milliseconds since 1970.
  func stop(_ listener: Listener, at time: Int64) {
    state.withLock { state in
      guard let entry = state.remove(listener.number) else { return }
      entry.pokes.finish()
      entry.typing.finish()
      entry.presences.finish()
      entry.signOut.finish()
      guard state.online[listener.user] == nil else { return }
      state.lastSeen[listener.user] = time
      state.notePresence(of: listener.user)
    }
  }

  /// Pokes every listener of these users.
  func poke(_ users: some Sequence<Wire.UserID>) {
    state.withLock { state in
      for user in users {
        for entry in state.entries(of: user) { entry.pokes.yield() }
      }
    }
  }

  /// Sends a typing frame to every listener of these users.
  func sendTyping(_ frame: Wire.TypingFrame, to users: some Sequence<Wire.UserID>) {
    state.withLock { state in
      for user in users {
        for entry in state.entries(of: user) { entry.typing.yield(frame) }
      }
    }
  }

  /// Shows the presence of `others` to a user, and the user's presence to those of `others` who are online.
  /// Affects only sockets that are open now, until they close. Does nothing if the user is offline.
  func sharePresence(of user: Wire.UserID, with others: Set<Wire.UserID>) {
    state.withLock { state in
      guard state.online[user] != nil else { return }
      state.show(others, to: user)
      for other in others where state.online[other] != nil {
        state.show([user], to: other)
        state.notePresence(of: other, for: user)
        state.notePresence(of: user, for: other)
      }
    }
  }

  /// Removes and returns a listener's unsent presence changes: the current presence of each user whose
  /// presence has changed.
  func drainPresences(of listener: Listener) -> [Wire.PresenceFrame] {
    state.withLock { state in
      let users = state.entries[listener.number]?.unsent ?? []
      state.entries[listener.number]?.unsent = []
      return users.sorted { $0.rawValue < $1.rawValue }.map { user in
        let isOnline = state.online[user] != nil
        return Wire.PresenceFrame(
          user: user, isOnline: isOnline, lastSeen: isOnline ? nil : state.lastSeen[user])
      }
    }
  }

  /// Ends the ``Listener/session`` stream of each listener of a session.
  func signOut(_ user: Wire.UserID, _ session: SessionID) {
    state.withLock { state in
      for entry in state.entries(of: user) where entry.session == session {
        entry.signOut.finish()
      }
    }
  }

  /// The number of listeners.
  var count: Int { state.withLock { $0.entries.count } }
}

extension PushHub.State {
  fileprivate func entries(of user: Wire.UserID) -> some Sequence<PushHub.Entry> {
    (online[user] ?? []).lazy.compactMap { entries[$0] }
  }

  /// Removes a socket. If the socket was the last socket of its user, the user is then offline.
  fileprivate mutating func remove(_ number: UInt64) -> PushHub.Entry? {
    guard let entry = entries.removeValue(forKey: number) else { return nil }
    online.remove(number, of: entry.user)
    for peer in entry.peers { watchers.remove(number, of: peer) }
    return entry
  }

  /// Shows the presence of some users to a user.
  fileprivate mutating func show(_ users: Set<Wire.UserID>, to watcher: Wire.UserID) {
    for number in online[watcher] ?? [] {
      entries[number]?.peers.formUnion(users)
      for user in users { watchers[user, default: []].insert(number) }
    }
  }

  /// Queues a user's presence for the sockets that receive it. If a watcher is given, queues the presence
  /// only for those of the watcher's sockets that receive it.
  fileprivate mutating func notePresence(of user: Wire.UserID, for watcher: Wire.UserID? = nil) {
    for number in watcher.map({ online[$0] ?? [] }) ?? watchers[user] ?? []
    where entries[number]?.peers.contains(user) == true {
      entries[number]?.unsent.insert(user)
      entries[number]?.presences.yield()
    }
  }
}

extension [Wire.UserID: Set<UInt64>] {
  fileprivate mutating func remove(_ number: UInt64, of user: Wire.UserID) {
    self[user]?.remove(number)
    if self[user]?.isEmpty == true { self[user] = nil }
  }
}
