import SkeinModel
import Synchronization

/// Facts from earlier answers of this process. All but the messages of redacted edits and reactions can be fetched again.
final class RoomMemory: Sendable {
  private struct State {
    var encrypted: [ConversationRef: Bool] = [:]
    var references = Recent<ServerMessageID, MessageReference>()
    var changes = Recent<ServerMessageID, ServerMessageID>()
    var sends = Recent<MessageID, ConversationRef>()
    var threads = Recent<ServerMessageID, ServerMessageID?>()
    var predecessors: [ConversationRef: ConversationRef?] = [:]
    var continuations: [ConversationRef: ConversationRef?] = [:]
    /// The rooms that were not replaced when this push channel was opened, or later.
    var current: Set<ConversationRef> = []
    var failures: [ConversationRef: Int] = [:]
    var cursor: (cursor: SyncCursor?, number: Int) = (nil, 0)
    /// The numbers of syncs that were not answered.
    var requests: [SyncCursor?: Int64] = [:]
  }
  private let state = Mutex(State())

  /// Whether a room is encrypted; nil if it is not known.
  func isEncrypted(_ room: ConversationRef) -> Bool? { state.withLock { $0.encrypted[room] } }

  func learn(_ room: ConversationRef, isEncrypted: Bool) {
    state.withLock { $0.encrypted[room] = isEncrypted }
  }

  /// The room that a room replaces, or nil for none; nil if it is not known.
  func predecessor(of room: ConversationRef) -> ConversationRef?? { state.withLock { $0.predecessors[room] } }

  func learn(_ room: ConversationRef, replaces old: ConversationRef?) {
    state.withLock { $0.predecessors[room] = .some(old) }
  }

  /// The room that replaces a room and that the account is in, or nil for none; nil if it is not known.
  func continuation(of room: ConversationRef) -> ConversationRef?? {
    state.withLock { $0.continuations[room] }
  }

  func learn(_ room: ConversationRef, continuesIn new: ConversationRef?) {
    state.withLock { $0.continuations[room] = .some(new) }
  }

  /// Forgets that no room replaces a room, since a tombstone names one.
  func forgetContinuation(of room: ConversationRef) {
    state.withLock { state in
      state.continuations[room] = nil
      state.current.remove(room)
    }
  }

  /// Whether a room was not replaced when this push channel was opened. Tombstones arrive by the channel since.
  func isCurrent(_ room: ConversationRef) -> Bool { state.withLock { $0.current.contains(room) } }

  func learn(isCurrent room: ConversationRef) { state.withLock { _ = $0.current.insert(room) } }

  func forgetCurrent() { state.withLock { $0.current = [] } }

  /// The room to which a message was last sent; nil if it was not sent.
  func room(of message: MessageID) -> ConversationRef? { state.withLock { $0.sends[message] } }

  func learn(_ message: MessageID, isSentTo room: ConversationRef) {
    state.withLock { $0.sends.insert(room, for: message) }
  }

  /// The first message of a message's thread, or nil for none; nil if it is not known.
  func thread(of message: ServerMessageID) -> ServerMessageID?? { state.withLock { $0.threads[message] } }

  func learn(_ message: ServerMessageID, isInThreadOf root: ServerMessageID?) {
    state.withLock { $0.threads.insert(root, for: message) }
  }

  /// The ids of a message that was received before.
  func reference(to message: ServerMessageID) -> MessageReference? {
    state.withLock { $0.references[message] }
  }

  func learn(_ messages: [IncomingMessage]) {
    state.withLock { state in
      for message in messages {
        if let id = message.serverID { state.references.insert(message.reference, for: id) }
      }
    }
  }

  /// The message that an edit or a reaction has changed. Once it is redacted, it no longer names its message.
  func message(changedBy event: ServerMessageID) -> ServerMessageID? { state.withLock { $0.changes[event] } }

  func learn(_ events: [RoomEvent]) {
    state.withLock { state in
      for event in events {
        if let message = event.changedMessage { state.changes.insert(message, for: event.id) }
      }
    }
  }

  /// Counts a failure of a call for a room's news. Returns whether it is the eighth in a row or a later one: a call that always
  /// fails would stop the news of all rooms.
  func isHopeless(_ error: BackendError, in room: ConversationRef) -> Bool {
    guard error.code == .transient else { return false }
    return state.withLock { state in
      state.failures[room, default: 0] += 1
      return state.failures[room, default: 0] >= 8
    }
  }

  func succeeded(_ room: ConversationRef) { state.withLock { $0.failures[room] = nil } }

  /// The number of a sync from a cursor: that of the last one if it was not answered, and otherwise a new one.
  func request(since cursor: SyncCursor?) -> Int64 {
    state.withLock { state in
      let number = state.requests[cursor] ?? .random(in: 0..<1 << 32)
      state.requests = [cursor: number]
      return number
    }
  }

  func answered(since cursor: SyncCursor?) { state.withLock { $0.requests[cursor] = nil } }

  /// The newest cursor that a sync or the push channel has returned, with a number that tells returns apart.
  var latest: (cursor: SyncCursor?, number: Int) { state.withLock { $0.cursor } }

  @discardableResult
  func returned(_ cursor: SyncCursor) -> Int {
    state.withLock { state in
      state.cursor = (cursor, state.cursor.number + 1)
      return state.cursor.number
    }
  }
}

/// A table that forgets its oldest entries.
private struct Recent<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private static var capacity: Int { 4096 }
  private var values: [Key: Value] = [:]
  private var keys: [Key] = []

  subscript(key: Key) -> Value? { values[key] }

  mutating func insert(_ value: Value, for key: Key) {
    if values.updateValue(value, forKey: key) == nil { keys.append(key) }
    guard keys.count >= 2 * Self.capacity else { return }
    for old in keys.prefix(Self.capacity) { values[old] = nil }
    keys.removeFirst(Self.capacity)
  }
}
