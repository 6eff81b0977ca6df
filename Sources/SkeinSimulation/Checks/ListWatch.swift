import Skein
import Synchronization

/// Observes one list as an app does, and checks every snapshot.
final class ListWatch: Sendable {
  private let device: String
  private let ledger: Ledger
  private let record: StatusRecord
  private let isDeduplicated: Bool
  private let isInOrder: Bool
  private let windowSize: Int

  /// - Parameters:
  ///   - isDeduplicated: Whether the server stores no message twice. A duplicate has two positions, and a client shows the
  ///     message at only one position.
  ///   - isInOrder: Whether pages have the order of syncs. Otherwise a device may list a message in either place.
  init(
    device: String, ledger: Ledger, record: StatusRecord, isDeduplicated: Bool, isInOrder: Bool,
    windowSize: Int
  ) {
    self.device = device
    self.ledger = ledger
    self.record = record
    self.isDeduplicated = isDeduplicated
    self.isInOrder = isInOrder
    self.windowSize = windowSize
  }

  func follow(_ context: ChatContext) async {
    var copy: [MessageListItem] = []
    // The compared parts of the messages, by index. Copying whole messages takes longer than the checks.
    var rows: [Row?] = []
    var tokens: [String: LocalMessageID] = [:]
    for await update in context.changes {
      let change = update.change
      change.apply(to: &copy, from: update.snapshot)
      change.apply(to: &rows, from: update.snapshot.lazy.map { $0.message.map(Row.init) })
      ledger.expect(
        copy.elementsEqual(update.snapshot), "O1", "\(device): a change does not lead to its snapshot")
      for index in change.insertions + change.updates where copy.indices.contains(index) {
        guard let message = copy[index].message else { continue }
        record.note(message, device, ledger)
        guard var token = Token.of(message) else { continue }
        if ledger.sharesToken(token, message.messageID) { token = message.messageID.rawValue }
        let known = tokens.updateValue(message.id, forKey: token)
        let isTwice = known != message.id && rows.contains { $0 != nil && $0?.id == known }
        ledger.expect(!isTwice, "S9", "\(device) shows \(token) twice")
      }
      ledger.expect(
        rows.count { $0 != nil } <= windowSize, "O4",
        "\(device) shows more than the \(windowSize) messages of a window")
      check(rows)
      checkFailed(rows)
    }
  }

  /// The part of a message that is compared with the other messages of its list.
  private struct Row {
    let id: LocalMessageID
    let messageID: MessageID
    let conversation: ConversationID
    let serverID: ServerMessageID?
    let position: Int64?
    let status: MessageStatus
    let isOwn: Bool
    let isLost: Bool
    /// Whether the rank is that of a message without a place in the history.
    let isUnsent: Bool

    init(_ message: ChatMessage) {
      id = message.id
      messageID = message.messageID
      conversation = message.conversation
      serverID = message.serverID
      position = message.position
      status = message.status
      isOwn = message.isOwn
      isLost = message.failure?.code == .lost
      isUnsent = message.rank.isUnsent
    }
  }

  /// Checks that a failed message stays below unsent messages that were composed earlier in the same chat.
  /// Messages of two merged chats are not compared. Retried messages, and messages that failed because the
  /// server lost them, are not checked.
  private func checkFailed(_ rows: [Row?]) {
    var oldestBelow: [ConversationID: LocalMessageID] = [:]
    for row in rows.reversed() {
      guard let message = row, message.isOwn, message.status != .sent,
        !record.wasRetried(message.id)
      else { continue }
      let chat = record.chat(of: message.id) ?? message.conversation
      switch message.status {
      case .queued, .sending: oldestBelow[chat] = min(oldestBelow[chat] ?? message.id, message.id)
      case .failed where !message.isLost:
        ledger.expect(
          message.id < oldestBelow[chat] ?? .init(rawValue: .max), "R3",
          "\(device) shows a message that failed above one that waits since before it")
      default: break
      }
    }
  }

  private func check(_ rows: [Row?]) {
    var ids: Set<MessageID> = []
    var servers: Set<ServerMessageID> = []
    var last: Int64 = 0
    var previous: Row?
    var hasUnsent = false
    for row in rows {
      guard let message = row else {
        previous = nil
        continue
      }
      ledger.expect(
        ids.insert(message.messageID).inserted, "S9",
        "\(device) shows two rows of one message")
      if let server = message.serverID {
        ledger.expect(
          servers.insert(server).inserted, "R2", "\(device) shows two rows of \(server.rawValue)")
      }
      if message.status == .queued || message.status == .sending { hasUnsent = true }
      // A message that no sync has placed yet is listed last.
      guard message.status == .sent, !message.isUnsent, let position = message.position else { continue }
      ledger.expect(!hasUnsent, "R3", "\(device) shows an unsent message above a sent one")
      guard isInOrder else { continue }
      ledger.expect(position > last, "R3", "\(device) shows position \(position) after \(last)")
      // An own message may get its position before older messages arrive.
      if isDeduplicated, let previous, let below = previous.position, below < position, !message.isOwn,
        !previous.isOwn
      {
        ledger.expect(
          record.wasDeleted(between: below, and: position, of: message.serverID), "C4",
          "\(device) shows \(below) and \(position) as neighbours")
      }
      last = position
      previous = message
    }
  }
}

/// The last visible state of every message of a device, across its processes.
final class StatusRecord: Sendable {
  private struct State {
    var contents: [LocalMessageID: String] = [:]
    var last: [LocalMessageID: MessageStatus] = [:]
    var retried: Set<LocalMessageID> = []
    var confirmed: [MessageID: ServerMessageID?] = [:]
    var deleted: Set<String> = []
    var deletedIDs: Set<MessageID> = []
    var gone: Set<MessageID> = []
    var chats: [LocalMessageID: ConversationID] = [:]
  }
  private let state = Mutex(State())
  private let server: MemoryServer

  init(server: MemoryServer) { self.server = server }

  /// The messages that were shown as sent, with their last server ids.
  var confirmed: [MessageID: ServerMessageID?] { state.withLock { $0.confirmed } }

  func wasRetried(_ id: LocalMessageID) -> Bool { state.withLock { $0.retried.contains(id) } }

  /// The server ids, earlier and current, of messages that may be hidden on this device: their deletion was
  /// requested, or a clear may have hidden them one by one.
  ///
  /// A server that was restored assigns new ids to messages that it receives again.
  var deleted: Set<String> {
    let (names, ids) = state.withLock { ($0.deleted, $0.deletedIDs) }
    let messages = server.rooms().flatMap { server.messages(in: $0) }
    return names.union(
      messages.filter { $0.messageID.map(ids.contains) ?? false }.compactMap(\.serverID?.rawValue))
  }

  func deletes(_ messages: [(id: MessageID, server: ServerMessageID?)]) {
    state.withLock { state in
      state.deleted.formUnion(messages.compactMap(\.server?.rawValue))
      state.deletedIDs.formUnion(messages.map(\.id))
    }
  }

  /// The messages whose deletion was confirmed: they must not come back.
  var gone: Set<MessageID> { state.withLock { $0.gone } }

  func hasDeleted(_ ids: [MessageID]) { state.withLock { $0.gone.formUnion(ids) } }

  /// Whether every message between two others was deleted on this device.
  ///
  /// - Parameters:
  ///   - lower: The position of the earlier message.
  ///   - upper: The position of the later message.
  ///   - id: The id of the later message.
  func wasDeleted(between lower: Int64, and upper: Int64, of id: ServerMessageID?) -> Bool {
    guard lower < upper, let name = id?.rawValue, let slash = name.lastIndex(of: "/") else { return false }
    if lower + 1 == upper { return true }
    let deleted = deleted
    return (lower + 1..<upper).allSatisfy { deleted.contains("\(name[...slash])\($0)") }
  }

  /// The chat in which a message first appeared; nil if the message was never shown.
  func chat(of message: LocalMessageID) -> ConversationID? { state.withLock { $0.chats[message] } }

  /// Replaces the recorded states by the states that are stored after a power cut, and forgets the messages
  /// that are no longer stored.
  func lostPower(_ stored: [(id: LocalMessageID, name: MessageID, status: MessageStatus)]) {
    let left = Dictionary(stored.map { ($0.id, $0.status) }) { $1 }
    let sent = Set(stored.filter { $0.status == .sent }.map(\.name))
    state.withLock { state in
      state.last = state.last.filter { left[$0.key] != nil }
      for (id, status) in left where state.last[id] != nil { state.last[id] = status }
      state.contents = state.contents.filter { left[$0.key] != nil }
      state.chats = state.chats.filter { left[$0.key] != nil }
      state.confirmed = state.confirmed.filter { sent.contains($0.key) }
    }
  }

  func retries(_ id: LocalMessageID) { state.withLock { _ = $0.retried.insert(id) } }

  func note(_ message: ChatMessage, _ device: String, _ ledger: Ledger) {
    if let token = Token.of(message) {
      let before = state.withLock { $0.contents.updateValue(token, forKey: message.id) }
      ledger.expect(before ?? token == token, "S11", "\(device): \(before ?? "") becomes \(token)")
    }
    let step = state.withLock { state -> (MessageStatus, MessageStatus)? in
      if state.chats[message.id] == nil { state.chats[message.id] = message.conversation }
      if message.status == .sent {
        let known = state.confirmed[message.messageID] ?? nil
        state.confirmed.updateValue(message.serverID ?? known, forKey: message.messageID)
      }
      let before = state.last.updateValue(message.status, forKey: message.id)
      guard let before, before != message.status else { return nil }
      let isAllowed: Bool
      switch before {
      case .sent: isAllowed = message.failure?.code == .lost
      case .failed, .uncertain:
        isAllowed =
          message.status == .sent || message.failure?.code == .lost || state.retried.contains(message.id)
      case .queued, .sending: isAllowed = true
      }
      return isAllowed ? nil : (before, message.status)
    }
    guard let (before, after) = step else { return }
    ledger.report("S10", "\(device): \(message.id.rawValue) \(before) becomes \(after)")
  }
}

extension ChatMessage {
  /// The message's position on the server.
  var position: Int64? { serverID?.position }
}
