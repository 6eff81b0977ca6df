import SkeinModel
import Synchronization

/// Facts from earlier answers of this process. All but the messages of redacted edits and reactions can be fetched again.
final class RoomMemory: Sendable {
  /// Whether a room has a name of its own.
  let named = RecentTable<ConversationRef, Bool>()
  /// The message before an event that is no message.
  let messagesBefore = RecentTable<ServerMessageID, ServerMessageID>()
  /// The last message of a room's newest events.
  private let lastMessages = RecentTable<ConversationRef, ServerMessageID>()
  /// Whether a room is encrypted.
  let encryption = RecentTable<ConversationRef, Bool>()
  /// The room that a room replaces, or nil for none.
  let predecessors = RecentTable<ConversationRef, ConversationRef?>()
  /// The room that replaces a room and that the account is in, or nil for none.
  let continuations = RecentTable<ConversationRef, ConversationRef?>()
  /// The rooms that were not replaced when this push channel was opened, or later. Tombstones arrive by the channel since.
  let current = RecentTable<ConversationRef, Bool>()
  /// The room of a message, and the first message of its thread, or nil for none.
  let threads = RecentTable<ServerMessageID, (room: ConversationRef, root: ServerMessageID?)>()
  /// The ids of a message that was received before.
  let references = RecentTable<ServerMessageID, MessageReference>()
  /// The message that an edit or a reaction has changed. Once it is redacted, it no longer names its message.
  let changes = RecentTable<ServerMessageID, ServerMessageID>()

  /// The rooms of the messages of this device that were sent.
  private let sent = RecentTable<MessageID, ConversationRef>()

  private struct State {
    /// The rooms of the messages whose requests are under way, or have ended in an unknown way.
    var sends: [MessageID: ConversationRef] = [:]
    var unjoined: Set<ConversationRef> = []
    var failures: [ConversationRef: Int] = [:]
    var newest: (cursor: SyncCursor?, number: Int) = (nil, 0)
    /// The numbers of syncs that were not answered.
    var requests: [SyncCursor?: Int64] = [:]
  }
  private let state = Mutex(State())

  /// The room that may have a message of this device: the one to which it was last sent.
  func room(ofSent message: MessageID) -> ConversationRef? {
    state.withLock { $0.sends[message] } ?? sent[message]
  }

  /// Notes the room to which a message is sent now; nil if the homeserver has refused the message.
  func sends(_ message: MessageID, to room: ConversationRef?) {
    state.withLock { $0.sends[message] = room }
  }

  func hasSent(_ message: MessageID, to room: ConversationRef) {
    sent[message] = room
    sends(message, to: nil)
  }

  func learn(_ messages: [IncomingMessage]) {
    for message in messages {
      if let id = message.serverID { references[id] = message.reference }
    }
  }

  func learn(_ events: [RoomEvent], in room: ConversationRef) {
    for event in events {
      if let message = event.changedMessage { changes[event.id] = message }
      if event.isMessage { threads[event.id] = (room, event.threadRoot) }
    }
  }

  /// Notes which messages the other events of a room come after.
  ///
  /// - Parameter follows: whether the events follow those of the answer before.
  func learnOrder(of events: [RoomEvent], follows: Bool, in room: ConversationRef) {
    var last = follows ? lastMessages[room] : nil
    for event in events {
      if event.isMessage { last = event.id } else if let last { messagesBefore[event.id] = last }
    }
    lastMessages[room] = last
  }

  /// Forgets what may change unnoticed without a push channel: tombstones and encryption arrive by it.
  func channelChanged() {
    current.removeAll()
    encryption.removeAll()
  }

  /// The replaced rooms whose replacements are to be joined later, because the homeserver has failed again and again.
  var unjoined: Set<ConversationRef> { state.withLock { $0.unjoined } }

  /// Notes that the room that replaces a room could not be joined. Until it is joined, no room replaces the room.
  func postponeJoining(after room: ConversationRef) {
    continuations[room] = .some(nil)
    state.withLock { _ = $0.unjoined.insert(room) }
  }

  /// Notes that the room that replaces a room was joined, or never will be.
  func endJoining(after room: ConversationRef) { state.withLock { _ = $0.unjoined.remove(room) } }

  /// Forgets that no room replaces a room, since a tombstone may name one.
  func forgetContinuation(of room: ConversationRef) { (continuations[room], current[room]) = (nil, nil) }

  /// Counts a failure of a call for a room's news. Returns whether it is the eighth in a row or a later one: a call that always
  /// fails would stop the news of all rooms.
  func isHopeless(_ error: BackendError, in room: ConversationRef) -> Bool {
    guard [.transient, .rateLimited].contains(error.withoutEffect.code) else { return false }
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

  /// The newest cursor of a batch of a sync or of the push channel, with the number of batches so far.
  var newest: (cursor: SyncCursor?, number: Int) { state.withLock { $0.newest } }

  /// Notes a batch that ends at a cursor. Returns the number of batches so far.
  @discardableResult
  func learn(newest cursor: SyncCursor) -> Int {
    state.withLock { state in
      state.newest = (cursor, state.newest.number + 1)
      return state.newest.number
    }
  }
}

/// A table that forgets its oldest entries, and keeps at least the 4,096 newest.
final class RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let entries = Mutex<(new: [Key: Value], old: [Key: Value])>(([:], [:]))

  subscript(key: Key) -> Value? {
    get { entries.withLock { $0.new[key] ?? $0.old[key] } }
    set {
      entries.withLock { entries in
        entries.old[key] = nil
        entries.new[key] = newValue
        if entries.new.count == 4096 { entries = ([:], entries.new) }
      }
    }
  }

  func removeAll() { entries.withLock { $0 = ([:], [:]) } }
}
