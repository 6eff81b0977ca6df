import Skein
import Synchronization

/// The clears requested on a device, across its processes. A clear covers at most the messages that the
/// device has received by the end of the clear.
final class ClearRecord: Sendable {
  fileprivate struct State {
    /// The newest position received so far.
    var received: [ConversationRef: Int64] = [:]
    /// The conversations that are being cleared now.
    var clearing: [ConversationRef] = []
    /// The positions up to which messages may have been cleared.
    var cleared: [ConversationRef: Int64] = [:]
    /// The positions up to which conversations were already cleared when the server was restored.
    var before: [ConversationRef: Int64] = [:]
    /// The conversations that may have been deleted.
    var hidden: Set<ConversationRef> = []
    /// The deleted conversations that must not be listed, with their rows.
    var deleted: [ConversationRef: ConversationID] = [:]
  }
  private let state = Mutex(State())

  func receives(_ messages: [IncomingMessage], of ref: ConversationRef) {
    let ref = ref.original
    guard let newest = messages.compactMap(\.position?.rawValue).max() else { return }
    state.withLock { state in
      state.received[ref] = max(state.received[ref] ?? 0, newest)
      if state.clearing.contains(ref) { state.clear(ref) }
    }
  }

  /// Records that a listed conversation is being cleared or deleted. If the conversation was deleted before,
  /// it has returned to the list since then.
  func begins(_ ref: ConversationRef, deletes: Bool) {
    let ref = ref.original
    state.withLock { state in
      state.clearing.append(ref)
      state.clear(ref)
      state.deleted[ref] = nil
      if deletes { state.hidden.insert(ref) }
    }
  }

  /// Records that a clear has ended.
  ///
  /// - Parameter row: The conversation's row if the conversation was deleted and must not be listed; nil
  ///   otherwise.
  func ends(_ ref: ConversationRef, deleting row: ConversationID?) {
    let ref = ref.original
    state.withLock { state in
      if let row { state.deleted[ref] = row }
      if let index = state.clearing.firstIndex(of: ref) { state.clearing.remove(at: index) }
    }
  }

  /// Adapts the record after the server was restored: the conversation now ends at position `last`.
  ///
  /// - Parameter floor: The position up to which the device had cleared the conversation before the reset.
  func setBack(_ ref: ConversationRef, to last: Int64, clearedUpTo floor: Int64) {
    let ref = ref.original
    state.withLock { state in
      state.before[ref] = min(floor, last)
      state.received[ref] = state.received[ref].map { min($0, last) }
      state.cleared[ref] = state.cleared[ref].map { min($0, last) }
    }
  }

  /// The position up to which a conversation was already cleared when the server was restored; 0 if the
  /// server was never restored.
  func before(of ref: ConversationRef) -> Int64 { state.withLock { $0.before[ref.original] ?? 0 } }

  /// Notes that the process has died: a clear in progress may or may not have happened.
  func died() { state.withLock { $0.clearing = [] } }

  /// Records that a chat is being opened: any deleted chat may then be listed again, even without a message.
  func opens() { state.withLock { $0.deleted = [:] } }

  /// Records that a chat is listed: it has returned if it was deleted before.
  func lists(_ row: ConversationID) { state.withLock { $0.deleted = $0.deleted.filter { $0.value != row } } }

  /// The position up to which a conversation may have been cleared; 0 if it was certainly never cleared.
  func limit(of ref: ConversationRef) -> Int64 { state.withLock { $0.cleared[ref.original] ?? 0 } }

  /// Whether a conversation may have been cleared at any time, including the time before the server was
  /// restored.
  func mayBeCleared(_ ref: ConversationRef) -> Bool { state.withLock { $0.cleared[ref.original] != nil } }

  func mayBeHidden(_ ref: ConversationRef) -> Bool { state.withLock { $0.hidden.contains(ref.original) } }

  /// Whether a conversation was deleted and must not be listed. If the deleted row was merged into another
  /// row, the other row does not count as deleted.
  func isDeleted(_ ref: ConversationRef, in row: ConversationID) -> Bool {
    state.withLock { $0.deleted[ref.original] == row }
  }

  /// Whether the message with the given server id may have been cleared.
  func covers(_ id: ServerMessageID) -> Bool {
    guard let slash = id.rawValue.lastIndex(of: "/"), let position = id.position else { return false }
    return position <= limit(of: ConversationRef(rawValue: String(id.rawValue[..<slash])))
  }
}

extension ClearRecord.State {
  fileprivate mutating func clear(_ ref: ConversationRef) {
    cleared[ref] = max(cleared[ref] ?? 0, received[ref] ?? 0)
  }
}

extension ServerMessageID {
  /// The message's position, which is the end of its server id.
  var position: Int64? {
    guard let slash = rawValue.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return Int64(Substring(rawValue.utf8[rawValue.utf8.index(after: slash)...]))
  }
}
