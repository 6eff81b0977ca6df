import Skein
import Synchronization

/// The drafts that a user wrote on a device, and the settings that the user changed there, across the device's processes.
///
/// A value is known only if its call has returned, and no other call that changes the value was under way
/// meanwhile.
final class SettingsRecord: Sendable {
  enum Field: String, CaseIterable, Sendable {
    case draft, pinned, muted
  }
  struct Key: Hashable, Sendable {
    let chat: ConversationID
    let field: Field
  }
  /// A change of a setting that the server stores.
  struct Wish: Sendable {
    let setting: ConversationSetting
    let isSet: Bool
    /// The conversation; nil if the server did not have it yet.
    let ref: ConversationRef?
    /// Whether the call has returned, and its change was not lost afterwards.
    var isGranted = false
  }
  fileprivate struct State {
    var wishes: [Wish] = []
    var known: [Key: String] = [:]
    var underWay: [Key: Int] = [:]
    /// The values whose calls have overlapped since the last moment without a call.
    var overlapping: Set<Key> = []
    /// The chats that are being deleted, which also resets their settings.
    var deleting: [ConversationID] = []
  }
  private let state = Mutex(State())

  /// Notes that a value is about to change.
  func asks(_ key: Key) {
    state.withLock { state in
      if state.underWay[key] != nil { state.overlapping.insert(key) }
      state.known[key] = nil
      state.underWay[key, default: 0] += 1
    }
  }

  /// Notes that a call has ended.
  ///
  /// - Parameter value: The value that is stored now; nil if the call has failed, or if the value may be
  ///   changed by a merge of two chats.
  func ended(_ key: Key, _ value: String?) {
    state.withLock { state in
      guard let left = state.underWay[key].map({ $0 - 1 }) else { return }
      state.underWay[key] = left == 0 ? nil : left
      guard left == 0 else { return }
      let isAlone = state.overlapping.remove(key) == nil && !state.deleting.contains(key.chat)
      if isAlone { state.known[key] = value }
    }
  }

  /// Notes that a chat is about to be deleted.
  func deletes(_ chat: ConversationID) {
    state.withLock { state in
      state.deleting.append(chat)
      state.forget(chat)
    }
  }

  /// Notes that the deletion of a chat has ended, or has failed.
  func hasDeleted(_ chat: ConversationID) {
    state.withLock { state in
      if let index = state.deleting.firstIndex(of: chat) { state.deleting.remove(at: index) }
      state.forget(chat)
    }
  }

  /// Notes that the process has ended: calls that were under way may or may not have changed their values.
  func died() {
    state.withLock { state in
      (state.underWay, state.overlapping, state.deleting) = ([:], [], [])
    }
  }

  /// Forgets all values, since a power cut may have undone them.
  func lostPower() {
    state.withLock { state in
      state.known = [:]
      for index in state.wishes.indices { state.wishes[index].isGranted = false }
    }
  }

  /// Notes that a setting is about to change; returns the number of the change.
  func wishes(_ setting: ConversationSetting, to isSet: Bool, of ref: ConversationRef?) -> Int {
    state.withLock { state in
      state.wishes.append(Wish(setting: setting, isSet: isSet, ref: ref))
      return state.wishes.count - 1
    }
  }

  /// Notes that a change of a setting is stored.
  func granted(_ wish: Int) { state.withLock { $0.wishes[wish].isGranted = true } }

  /// All changes of settings, in order.
  var wishes: [Wish] { state.withLock { $0.wishes } }

  /// The known values.
  var known: [(key: Key, value: String)] {
    state.withLock { state in
      state.known.map { (key: $0.key, value: $0.value) }.sorted {
        ($0.key.chat, $0.key.field.rawValue) < ($1.key.chat, $1.key.field.rawValue)
      }
    }
  }
}

extension SettingsRecord.State {
  fileprivate mutating func forget(_ chat: ConversationID) {
    for field in SettingsRecord.Field.allCases {
      known[SettingsRecord.Key(chat: chat, field: field)] = nil
    }
  }
}
