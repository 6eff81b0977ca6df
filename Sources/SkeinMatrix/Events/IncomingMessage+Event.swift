import SkeinModel

extension IncomingMessage {
  /// Converts an event to the message as it is now, without reactions, flags and quote; nil if the event is no
  /// message.
  ///
  /// Matrix counts no revisions. The time of the last change, in milliseconds, takes the place of the count.
  ///
  /// - Parameter later: an edit that was received beside the event.
  init?(_ event: RoomEvent, edit later: RoomEvent? = nil) {
    guard event.isMessage else { return nil }
    let fields = SkeinFields(event.content)
    if event.isRedacted {
      let by = event.redaction?.sender ?? event.sender
      self.init(
        serverID: event.id, messageID: event.transaction, sender: event.sender, position: nil,
        time: event.time, kind: RecalledContent.kind, payload: RecalledContent.payload(by: by),
        revision: max((event.redaction?.time ?? event.time).rawValue, 1), parameters: [:], reactions: [],
        mentions: .nobody, isCountable: false)
      return
    }
    let edit = [event.edit, later].compactMap(\.self).max {
      ($0.time, $0.id.rawValue) < ($1.time, $1.id.rawValue)
    }
    // Other clients forward a message of somebody else with all its fields.
    let writer = event.content[SkeinFields.key]?["sender"]?.string ?? event.sender.rawValue
    let id = writer == event.sender.rawValue ? fields?.id : nil
    let current = edit?.content["m.new_content"] ?? event.content
    let content = IncomingContent(
      current, type: event.type, isReply: event.repliedMessage != nil && edit == nil)
    self.init(
      serverID: event.id, messageID: id ?? event.transaction, sender: event.sender, position: nil,
      time: event.time, kind: content.kind, payload: content.payload,
      revision: max(edit?.time.rawValue ?? 0, 0),
      parameters: SkeinFields(current)?.parameters ?? fields?.parameters ?? [:], edited: edit?.time,
      mentions: Mentions(current["m.mentions"]), isCountable: event.content["msgtype"]?.string != "m.notice")
  }
}

extension RoomEvent {
  /// The transaction id, which the homeserver returns to the device that sent the event.
  fileprivate var transaction: MessageID? {
    unsigned["transaction_id"]?.string.flatMap { id in
      (1...128).contains(id.unicodeScalars.count) ? MessageID(rawValue: id) : nil
    }
  }
}

extension Mentions {
  fileprivate init(_ json: JSONValue?) {
    self.init(
      (json?["user_ids"]?.strings ?? []).map { UserID(rawValue: $0) }, everyone: json?["room"]?.bool ?? false)
  }
}
