import Skein
import SkeinStorage

extension Story {
  /// Makes every device load its whole history, like a reader who scrolls to the top.
  func readEverything() throws {
    for device in devices {
      guard let client = device.client else { continue }
      // The history of an invitation is not requested.
      for conversation in client.conversations.conversations
      where conversation.ref != nil && conversation.invitation == nil {
        guard let context = device.chat(conversation.id) else { continue }
        device.perform("read everything") { _ in try await device.readEverything(in: context) }
      }
    }
    for _ in 0..<60 where devices.contains(where: \.isBusy) { try pass(.seconds(10)) }
    for device in devices where device.isBusy {
      ledger.report("C7", "\(device.name) does not come to the end of its history")
    }
  }

  /// Checks that every device has the server's state, and that the server has every expected message.
  ///
  /// Codes such as R5 and Z1 name promises; Documentation/simulation.md lists them.
  func checkEnd() {
    for device in devices {
      for ref in server.rooms() { check(ref, on: device) }
      checkContacts(of: device)
      checkInvitations(of: device)
      checkSettings(of: device)
      checkList(of: device)
      checkClock(of: device)
      device.checkStored()
      checkSent(by: device)
    }
    for ref in server.rooms() { checkOrder(in: ref) }
    checkIntentions()
  }

  /// Checks unread counts, mentions and flags, also of messages in gaps, before the devices load their whole
  /// history.
  func checkUnread() {
    for device in devices {
      guard let client = device.client else { continue }
      let (hidden, hiddenNames) = (device.hidden, device.hiddenNames)
      for conversation in client.conversations.conversations {
        guard let ref = conversation.ref, server.trimmed(ref) == 0, server.shows(ref, to: device.user),
          let info = server.info(ref, for: device.user)
        else { continue }
        let all = server.messages(in: ref)
        guard Device.single(all).count == all.count else { continue }
        let mark = info.readMark?.position?.rawValue ?? 0
        let unread = all.count { message in
          message.isUnread(by: device.user, after: mark)
            && !hidden.contains(message.serverID?.rawValue ?? "")
        }
        let (count, slack) = (conversation.unreadCount, server.order.reorders ? 3 : 0)
        ledger.expect(
          conversation.unreadIsAtLeast ? count <= unread + slack : abs(count - unread) <= slack, "U2",
          "\(device.name) counts \(count) unread of \(ref.rawValue) before it is read, there are \(unread)")
        let (calls, called) = (
          all.count { message in
            message.isUnread(by: device.user, after: mark) && message.calls(device.user)
              && !hidden.contains(message.serverID?.rawValue ?? "")
          }, conversation.unreadMentionCount
        )
        ledger.expect(
          conversation.unreadIsAtLeast ? called <= calls + slack : abs(called - calls) <= slack, "U2",
          "\(device.name) counts \(called) mentions in \(ref.rawValue) before it is read, there are \(calls)")
        let seen = server.messages(in: ref, for: device.user).filter { message in
          !hidden.contains(message.serverID?.rawValue ?? "")
            && !(message.messageID.map { hiddenNames.contains($0) } ?? false)
        }
        for flag in [MessageFlag.pin, .star] {
          check(device.flagged(flag, in: conversation.id), with: flag, of: seen, in: ref, on: device)
        }
      }
    }
  }

  /// Checks that the device knows exactly the messages that have the flag on the server, including messages
  /// in gaps. Messages that may have been cleared are not checked, and deleted messages are not expected.
  ///
  /// - Parameter messages: The server's messages as the user sees them, without those that the device has deleted.
  private func check(
    _ shown: [ServerMessageID], with flag: MessageFlag, of messages: [IncomingMessage],
    in ref: ConversationRef, on device: Device
  ) {
    let limit = device.clears.limit(of: ref)
    let flagged = messages.filter { $0.flags[flag] != nil }.compactMap(\.serverID)
    let remain = { [order = server.order] (id: ServerMessageID) in
      order.isAlways(id.position ?? 0, after: limit)
    }
    let own = shown.filter(remain).map(\.rawValue).sorted()
    let theirs = flagged.filter(remain).map(\.rawValue)
    ledger.expect(
      own == theirs.sorted(), "R5",
      "\(device.name) has \(own) with \(flag.rawValue) in \(ref.rawValue), the server \(theirs)")
  }

  /// Checks the order of the conversations: pinned conversations first, then by latest activity.
  private func checkList(of device: Device) {
    let list = device.client.map { Array($0.conversations.conversations) } ?? []
    for (above, below) in zip(list, list.dropFirst()) {
      let isOrdered =
        above.isPinned == below.isPinned ? above.lastActivity >= below.lastActivity : above.isPinned
      ledger.expect(
        isOrdered, "U5", "\(device.name) lists \(above.id.rawValue) before \(below.id.rawValue)")
    }
  }

  /// Checks that a device knows the server's time, or uses its own clock if the server sends no time.
  ///
  /// The time is as exact as the travel time of an answer allows.
  private func checkClock(of device: Device) {
    guard let now = device.client?.now else { return }
    let truth = server.time ?? device.wallTime
    // Without network faults, as at the end, a request and its answer take at most 40 ms each.
    ledger.expect(
      abs(now.rawValue - truth.rawValue) <= (server.time == nil ? 0 : 45), "A8",
      "\(device.name) has the time \(now.rawValue), the server \(truth.rawValue)")
  }

  /// The messages that have a place, in their order, and then the others by their names. If pages have another order than
  /// syncs, devices list a message in either place, so the order is not compared.
  private func placed<Message>(
    _ messages: [Message], before floating: Set<ServerMessageID>, name: (Message) -> ServerMessageID?
  ) -> [Message] {
    if server.order.reorders { return messages.sorted { name($0)?.position ?? 0 < name($1)?.position ?? 0 } }
    let others = messages.filter { name($0).map(floating.contains) == true }
    return messages.filter { name($0).map(floating.contains) != true }
      + others.sorted { name($0)?.rawValue ?? "" < name($1)?.rawValue ?? "" }
  }

  private func check(_ ref: ConversationRef, on device: Device) {
    guard let info = server.info(ref, for: device.user), server.shows(ref, to: device.user),
      let client = device.client
    else { return }
    let all = server.messages(in: ref, for: device.user)
    let single = Device.single(all)
    let hidden = device.hidden
    let (cleared, trimmed) = (device.cleared(ref), Int64(server.trimmed(ref)))
    // A message is on different sides of the last cleared message if pages have another order than syncs. It may then count
    // as cleared or not.
    let isAfterCleared = { [order = server.order] (number: Int64) in
      order.reorders && order.place(of: number) > order.place(of: cleared)
    }
    let mustBeShown = { [order = server.order] (message: IncomingMessage) in
      !order.reorders || order.isAlways(message.position?.rawValue ?? 0, after: cleared)
    }
    let left = single.filter { message in
      let number = message.position?.rawValue ?? 0
      let isHere = number > cleared || isAfterCleared(number) || device.hasKept(message)
      return isHere && !hidden.contains(message.serverID?.rawValue ?? "")
    }
    let positions = all.compactMap(\.position?.rawValue)
    let before = positions.last { $0 > trimmed && $0 <= device.clears.before(of: ref) }
    ledger.expect(
      before.map { !server.order.isAlways($0, after: cleared) } ?? true, "R6",
      "\(device.name) shows messages of \(ref.rawValue) that were cleared before the server reset")
    guard let conversation = client.conversations.conversations.first(where: { $0.ref == ref }),
      let history = device.history(of: conversation.id)
    else {
      let missing = left.filter { $0.position?.rawValue ?? 0 > trimmed && mustBeShown($0) }
      let isGone = device.clears.mayBeHidden(ref) && missing.isEmpty
      ledger.expect(
        isGone, "Z3",
        "\(device.name) does not have \(ref.rawValue), or can't read it\(Self.difference([], missing.map(\.serverID)))"
      )
      return
    }
    // Duplicates are not checked, since a client may know either server id of a duplicate.
    let wronglyHidden = hidden.intersection(single.compactMap(\.serverID?.rawValue))
      .subtracting(device.record.deleted)
    ledger.expect(wronglyHidden.isEmpty, "R6", "\(device.name) hides a message that was not deleted")
    // Clearing also removes the hidden rows of deleted messages. If the server has lost a deleted message, or
    // stores it twice, the device may then receive the message again and show it.
    let gone = device.record.gone.filter { id in
      let isStoredTwice = all.count { $0.messageID == id } > 1
      return !device.clears.mayBeCleared(ref) || !ledger.wasLost(id) && !isStoredTwice
    }
    let isBack = history.messages.contains { gone.contains($0.messageID) }
    ledger.expect(!isBack, "R6", "\(device.name) shows a deleted message of \(ref.rawValue) again")
    ledger.expect(
      device.members(of: ref) == Set((info.members ?? []).map(\.rawValue)), "M1",
      "\(device.name) has other members in \(ref.rawValue) than the server")
    let shown = history.messages
    let (singleIDs, names) = (Set(single.map(\.serverID)), Set(all.map(\.messageID)))
    let isTwice = { (message: ChatMessage) in
      !singleIDs.contains(message.serverID) && names.contains(message.messageID)
    }
    // After the server was restored, messages of the earlier epoch have no server id until the server sends
    // the messages again.
    let dropped = Set(all.prefix(server.trimmed(ref)).map(\.messageID))
    let isOfEarlierEpoch = { [ledger] (message: ChatMessage) in
      message.serverID == nil && (ledger.wasLost(message.messageID) || dropped.contains(message.messageID))
    }
    // Without positions, a message that was trimmed before a page could return it never gets a place.
    let floating = device.floating(in: conversation.id)
      .intersection(all.prefix(server.trimmed(ref)).compactMap(\.serverID))
    let sent = placed(
      shown.filter { $0.status == .sent && !isTwice($0) && !isOfEarlierEpoch($0) }, before: floating
    ) { $0.serverID }
    // Messages that the server has trimmed remain on devices that already had them.
    let known = Set(sent.map(\.serverID))
    let expected = placed(
      left.filter { message in
        message.position?.rawValue ?? 0 > trimmed && mustBeShown(message) || known.contains(message.serverID)
      }, before: floating
    ) { $0.serverID }
    ledger.expect(
      sent.map(\.serverID) == expected.map(\.serverID), "M1",
      "\(device.name) shows \(sent.count) messages of \(ref.rawValue), the server has \(expected.count)"
        + Self.difference(sent.map(\.serverID), expected.map(\.serverID)))
    for (own, theirs) in zip(sent, expected) where own.serverID == theirs.serverID {
      let name = theirs.serverID?.rawValue ?? ""
      ledger.expect(!own.hasPendingAction, "Z1", "\(device.name) still has a pending action on \(name)")
      // The server no longer reports changes of messages that it has trimmed.
      guard theirs.position?.rawValue ?? 0 > trimmed else { continue }
      ledger.expect(
        Token.of(own) == Token.of(theirs.kind, theirs.payload) && own.sender == theirs.sender, "R1",
        "\(device.name) and the server have different contents at \(name)")
      if let difference = own.difference(from: theirs) {
        ledger.report("R5", "\(device.name) and the server differ in \(name): \(difference)")
      }
      checkQuote(of: own, theirs, from: all, in: ref, hidden: hidden, on: device)
    }
    checkReceipts(in: conversation.id, info, on: device)
    if trimmed == 0, single.count == all.count, let chat = device.chat(conversation.id) {
      let seen = all.filter { !hidden.contains($0.serverID?.rawValue ?? "") }
      check(chat.pinnedMessages.compactMap(\.message.serverID), with: .pin, of: seen, in: ref, on: device)
      let starred = client.starredMessages.filter { $0.conversation == conversation.id }
      check(starred.compactMap(\.message.serverID), with: .star, of: seen, in: ref, on: device)
    }
    for message in shown where message.status == .queued || message.status == .sending {
      ledger.report("Z1", "\(device.name) still has \(message.id.rawValue) \(message.status)")
    }
    ledger.expect(!history.hasGap, "C5", "\(device.name) still shows a gap in \(ref.rawValue)")
    ledger.expect(
      !history.hasLoss || trimmed > 0 || server.wasRestored, "C5",
      "\(device.name) shows a gap in \(ref.rawValue) as lost that the server can fill")
    // A conversation is listed again if it has new messages, even if the server has trimmed them.
    ledger.expect(
      !device.clears.isDeleted(ref, in: conversation.id) || trimmed > cleared
        || !device.stored(in: conversation.id).allSatisfy(\.isHidden), "U7",
      "\(device.name) lists \(ref.rawValue), which was deleted")
    ledger.expect(
      conversation.lastMessage?.id == shown.last?.id, "U1",
      "\(device.name) shows a preview of \(ref.rawValue) that is not its last message")
    guard single.count == all.count else { return }
    let mark = info.readMark?.position?.rawValue ?? 0
    let later = server.order.reorders ? Self.messages(after: mark, in: shown) : nil
    let isUnread = { (message: IncomingMessage) in
      guard let later else { return message.isUnread(by: device.user, after: mark) }
      return message.serverID.map(later.contains) == true && message.isUnread(by: device.user, after: 0)
    }
    let unread = expected.count(where: isUnread)
    // The server no longer reports recalls of trimmed messages: only the device's row shows whether a trimmed
    // message still mentions the user.
    let calls = zip(sent, expected).count { own, theirs in
      let isCall = theirs.position?.rawValue ?? 0 > trimmed ? theirs.calls(device.user) : own.isMention
      return isCall && isUnread(theirs)
    }
    // Without positions, a mark on a trimmed message has no place, and trimmed messages that the device still has may
    // count as read or as unread.
    let isPlaced = server.order.hasPositions || mark == 0 || mark > trimmed
    // If pages have another order than syncs, up to three messages may be on either side of the mark.
    let slack = server.order.reorders ? 3 : 0
    ledger.expect(
      !isPlaced || abs(conversation.unreadCount - unread) <= slack && !conversation.unreadIsAtLeast, "U2",
      "\(device.name) counts \(conversation.unreadCount) unread of \(ref.rawValue), there are \(unread)")
    ledger.expect(
      !isPlaced || abs(conversation.unreadMentionCount - calls) <= slack, "U2",
      "\(device.name) counts \(conversation.unreadMentionCount) mentions in \(ref.rawValue), there are \(calls)"
    )
  }

  /// The messages that a device lists after the message with a number; nil if the device does not list this message.
  private static func messages(after mark: Int64, in shown: [ChatMessage]) -> Set<ServerMessageID>? {
    guard let index = shown.lastIndex(where: { $0.serverID?.position == mark }) else { return nil }
    return Set(shown[shown.index(after: index)...].compactMap(\.serverID))
  }

  /// Describes the elements that are in only one of the two lists, at most three of each list.
  private static func difference(_ shown: [ServerMessageID?], _ expected: [ServerMessageID?]) -> String {
    let names = { (ids: Set<ServerMessageID?>) in ids.map { $0?.rawValue ?? "nameless" }.sorted().prefix(3) }
    let (more, missing) = (names(Set(shown).subtracting(expected)), names(Set(expected).subtracting(shown)))
    if more.isEmpty, missing.isEmpty {
      let other = zip(shown, expected).first { $0 != $1 }
      return other.map { "; \($0?.rawValue ?? "nameless") here where \($1?.rawValue ?? "nameless") is there" }
        ?? ""
    }
    return (more.isEmpty ? "" : "; only here \(more)") + (missing.isEmpty ? "" : "; only there \(missing)")
  }
}
