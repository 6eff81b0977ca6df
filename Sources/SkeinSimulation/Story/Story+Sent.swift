import Skein
import SkeinStorage

/// The checks at rest of what each device has sent.
extension Story {
  /// Checks that the status of each message agrees with the server, and that the server does not have the
  /// message too often.
  func checkSent(by device: Device) {
    let onServer = server.rooms().flatMap { server.posted(in: $0) }.compactMap(ledger.token(of:))
    let dropped = Set(
      server.rooms().flatMap { server.posted(in: $0).prefix(server.trimmed($0)) }
        .compactMap(ledger.token(of:)))
    // The messages in cleared ranges. A message that was being sent when the device cleared the chat may be
    // included.
    let cleared = Set(
      server.rooms().flatMap { ref in
        let floor = device.cleared(ref)
        return server.posted(in: ref).filter { message in
          !server.order.isAlways(message.position?.rawValue ?? 0, after: floor)
        }
      }.compactMap(ledger.token(of:)))
    let counts = onServer.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    let statuses = storedStatuses(of: device)
    let closed = messagesForClosed(on: device)
    let unsynced = messagesNoLongerSynced(on: device).union(closed)
    checkCopies(of: device, statuses)
    for entry in ledger.entries where entry.device == device.name {
      let count = counts[entry.token] ?? 0
      let most = server.idempotency == .forever ? 1 : 1 + entry.userRetries + entry.retriesElsewhere
      ledger.expect(count <= most, "S3", "\(entry.token) is \(count) times on the server")
      switch entry.fate {
      case .asked: continue
      case .declined:
        ledger.expect(count == 0, "P4", "\(entry.token) was declined and is on the server")
      case .cancelled:
        ledger.expect(
          count == 0 || server.wasRestored || ledger.wasForwarded(entry.token), "S5",
          "\(entry.token) was reported as cancelled and is on the server")
      case .cancelling(_, let id)
      where statuses[id.rawValue] == nil && !ledger.wasCleared(id, on: device.name):
        ledger.expect(count == 0, "S5", "\(entry.token) is removed, being cancelled, and is on the server")
      case .stored(_, let id), .cancelling(_, let id):
        switch statuses[id.rawValue] {
        case nil where ledger.wasCleared(id, on: device.name): continue
        case nil where ledger.mayBeGone(entry, id):
          ledger.expect(count == 0, "S5", "\(entry.token) is removed, cancelled, and is on the server")
        case nil where ledger.wasLost(id) && (entry.isCancelRequested || ledger.wasRecalled(id)): continue
        case nil: ledger.report("S4", "\(device.name) has lost \(entry.token)")
        // The device receives no more changes of a message that was deleted or trimmed, or whose chat is
        // closed or was lost.
        case MessageStatus.sent.rawValue where ledger.wasLost(id) && unsynced.contains(id.rawValue): continue
        case MessageStatus.sent.rawValue:
          ledger.expect(count > 0, "S4", "\(entry.token) is shown as sent and is not on the server")
        // The outcome stays unknown: the message was trimmed or cleared, or its chat is closed.
        case MessageStatus.uncertain.rawValue where dropped.contains(entry.token): continue
        case MessageStatus.uncertain.rawValue where cleared.contains(entry.token): continue
        case MessageStatus.uncertain.rawValue where closed.contains(id.rawValue): continue
        // After a restore, a device can't distinguish a trimmed message from a lost message.
        case MessageStatus.failed.rawValue where server.wasRestored && dropped.contains(entry.token): continue
        // Another device has sent the message again, and this device does not receive it.
        case MessageStatus.failed.rawValue where ledger.wasLost(id) && unsynced.contains(id.rawValue):
          continue
        case MessageStatus.failed.rawValue, MessageStatus.uncertain.rawValue:
          ledger.expect(count == 0, "S5", "\(entry.token) is shown as failed and is on the server")
          if closed.contains(id.rawValue) { continue }
          let isKnown =
            statuses[id.rawValue] == MessageStatus.uncertain.rawValue || entry.target != nil
            || entry.replied.map(ledger.wasLost) == true
          let wasRefused = ledger.attempts(of: id, from: device.name)?.wasRefused == true
          ledger.expect(
            isKnown || wasRefused || ledger.wasLost(id), "S5",
            "\(entry.token) has failed without a refusal")
        default: ledger.report("Z1", "\(entry.token) still waits")
        }
      }
    }
  }

  /// The ids of three groups of messages:
  /// - messages in conversations that are closed on the device,
  /// - messages in conversations that the server does not show to the user,
  /// - messages that failed or became uncertain because their conversation was closed, or because the server does not know
  ///   the invitation to their group that was accepted: it has ended, or the server was restored.
  private func messagesForClosed(on device: Device) -> Set<String> {
    let wasRestored = server.wasRestored
    let rows = try? device.inspect {
      try $0.rows(
        (String.self, String?.self, Bool.self),
        """
        SELECT message_id, ref, is_closed OR coalesce(failure_code, '') = 'recipientRemoved'
          OR coalesce(failure_code, '') = 'conversationRefused' AND (type = ?1 OR ?2)
        FROM message JOIN conversation ON conversation.id = message.conversation
        """, ConversationType.group, wasRestored)
    }
    let closed = (rows ?? []).filter { _, ref, isClosed in
      // After a reset, a chat that the server does not show to the user stays without a ref.
      isClosed
        || ref.map { !server.shows(ConversationRef(rawValue: $0), to: device.user) } ?? server.wasRestored
    }
    return Set(closed.map { $0.0 })
  }

  /// The ids of three groups of messages:
  /// - messages that the device has deleted,
  /// - messages in conversations that the server does not have,
  /// - messages in trimmed parts of a history.
  private func messagesNoLongerSynced(on device: Device) -> Set<String> {
    let rows = try? device.inspect {
      try $0.rows(
        (String.self, String?.self, Timestamp.self),
        """
        SELECT message_id, CASE message.is_hidden WHEN 0 THEN ref END, time
        FROM message JOIN conversation ON conversation.id = message.conversation
        """)
    }
    let rooms = server.rooms().map { ref in
      let trimmed = server.trimmed(ref)
      let first = server.messages(in: ref).dropFirst(trimmed).first
      return (ref.rawValue, trimmed == 0 ? .min : first?.time.rawValue ?? .max)
    }
    let starts = Dictionary(rooms) { $1 }
    let unsynced = (rows ?? []).filter { _, ref, time in
      ref.flatMap { starts[$0] }.map { time.rawValue <= $0 } ?? true
    }
    return Set(unsynced.map { $0.0 })
  }

  private func storedStatuses(of device: Device) -> [String: Int64] {
    let rows = try? device.inspect {
      try $0.rows((String.self, Int64.self), "SELECT message_id, status FROM message")
    }
    return Dictionary((rows ?? []).map { ($0.0, $0.1) }, uniquingKeysWith: { $1 })
  }

  /// Checks that a conversation has the messages of each device in the order of their composition, as far as
  /// the device's lane policy promises the order. Messages whose order may differ are not checked, such as
  /// failed, parked, retried or cancelled messages.
  func checkOrder(in ref: ConversationRef) {
    let messages = server.posted(in: ref)
    for device in devices where device.options.lanePolicy != .free {
      let isStrict = device.options.lanePolicy == .strict
      if let info = server.info(ref, for: device.user), ledger.wasClosed(info, of: device.user) { continue }
      // Two conversations may be merged long after messages were composed in both. So the order is checked
      // only among messages that were composed in the same conversation.
      var last: [ConversationID: (any: LocalMessageID, media: LocalMessageID?)] = [:]
      for message in messages {
        guard let token = ledger.token(of: message), let entry = ledger.entry(token),
          entry.device == device.name, entry.userRetries == 0, !entry.isCancelRequested, entry.target == nil,
          case .stored(let local, let id) = entry.fate, !ledger.wasLost(id)
        else { continue }
        // A server that was restored may have lost the chat. The device then closes it, and a request that was still
        // in flight may arrive after the chat was opened again.
        if let attempts = ledger.attempts(of: id, from: device.name) {
          let mayArriveLate = server.idempotency != .forever || server.wasRestored
          if attempts.wasRefused || attempts.wasUnknown && mayArriveLate { continue }
        }
        if ledger.mayHaveBeenParked(message, id, from: device.name) { continue }
        // By the policy `mediaLane`, messages that are ready may overtake media that is being uploaded; media
        // overtakes nothing.
        let isMedia = message.kind == ImageContent.kind
        let before = last[entry.conversation]
        if let before, let passed = isMedia && !isStrict ? before.media : before.any {
          ledger.expect(passed < local, "S6", "\(device.name): \(token) stands after \(passed.rawValue)")
        }
        last[entry.conversation] = (
          any: max(before?.any ?? local, local), media: isMedia ? local : before?.media
        )
      }
    }
  }
}
