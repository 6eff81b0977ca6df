import Skein
import Synchronization

/// What a device was asked to clear, over all its processes: of each conversation, no more than it had heard of by then.
final class ClearRecord: Sendable {
  fileprivate struct State {
    /// The newest position that anything has brought.
    var heard: [ConversationRef: Int64] = [:]
    /// What is being cleared now.
    var clearing: [ConversationRef] = []
    /// Up to where all may be gone.
    var cleared: [ConversationRef: Int64] = [:]
    /// Up to where all was gone when the server was set back.
    var before: [ConversationRef: Int64] = [:]
    /// What may have been taken out of the list.
    var hidden: Set<ConversationRef> = []
    /// What was, and was not asked for since.
    var deleted: Set<ConversationRef> = []
  }
  private let state = Mutex(State())

  func hears(_ messages: [IncomingMessage], of ref: ConversationRef) {
    guard let newest = messages.compactMap(\.position?.rawValue).max() else { return }
    state.withLock { state in
      state.heard[ref] = max(state.heard[ref] ?? 0, newest)
      if state.clearing.contains(ref) { state.clear(ref) }
    }
  }

  func begins(_ ref: ConversationRef, deletes: Bool) {
    state.withLock { state in
      state.clearing.append(ref)
      state.clear(ref)
      if deletes { state.hidden.insert(ref) }
    }
  }

  func ends(_ ref: ConversationRef, isDeleted: Bool) {
    state.withLock { state in
      if isDeleted { state.deleted.insert(ref) }
      if let index = state.clearing.firstIndex(of: ref) { state.clearing.remove(at: index) }
    }
  }

  /// The server was set back, and has no more of a conversation than this now.
  ///
  /// - Parameter floor: up to where it was cleared here by then.
  func setBack(_ ref: ConversationRef, to last: Int64, clearedUpTo floor: Int64) {
    state.withLock { state in
      state.before[ref] = min(floor, last)
      state.heard[ref] = state.heard[ref].map { min($0, last) }
      state.cleared[ref] = state.cleared[ref].map { min($0, last) }
    }
  }

  /// Up to where a conversation was cleared when the server was set back.
  func before(of ref: ConversationRef) -> Int64 { state.withLock { $0.before[ref] ?? 0 } }

  /// The process has died: what was being cleared is, or is not.
  func died() { state.withLock { $0.clearing = [] } }

  /// Somebody opens a chat: what was deleted may be back without a message.
  func opens() { state.withLock { $0.deleted = [] } }

  /// Up to which position a conversation may have been cleared; 0 where it never was.
  func limit(of ref: ConversationRef) -> Int64 { state.withLock { $0.cleared[ref] ?? 0 } }

  /// Whether a conversation may ever have been cleared, also before the server was set back.
  func mayBeCleared(_ ref: ConversationRef) -> Bool { state.withLock { $0.cleared[ref] != nil } }

  func mayBeHidden(_ ref: ConversationRef) -> Bool { state.withLock { $0.hidden.contains(ref) } }

  func isDeleted(_ ref: ConversationRef) -> Bool { state.withLock { $0.deleted.contains(ref) } }

  /// Whether a message may have been cleared, by the server's name for it.
  func covers(_ id: ServerMessageID) -> Bool {
    guard let slash = id.rawValue.lastIndex(of: "/"), let position = id.position else { return false }
    return position <= limit(of: ConversationRef(rawValue: String(id.rawValue[..<slash])))
  }
}

extension ClearRecord.State {
  fileprivate mutating func clear(_ ref: ConversationRef) {
    cleared[ref] = max(cleared[ref] ?? 0, heard[ref] ?? 0)
  }
}

extension ServerMessageID {
  /// The message's place on the server, which its name there ends in.
  var position: Int64? {
    guard let slash = rawValue.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return Int64(Substring(rawValue.utf8[rawValue.utf8.index(after: slash)...]))
  }
}
