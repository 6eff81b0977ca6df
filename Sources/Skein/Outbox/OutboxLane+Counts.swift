extension OutboxLane {
  /// The numbers of entries of a lane that have certain properties.
  struct Counts: Sendable, Equatable {
    /// Counts the messages that still have to be prepared: either those with attachments, or those without.
    struct Unready: Sendable, Equatable {
      /// The messages that wait for their preparation or are being prepared.
      var all = 0
      var preparing = 0

      /// Whether a message waits for its preparation, and no message is being prepared.
      var mayPrepare: Bool { preparing == 0 && all > 0 }
    }

    /// Entries that open the conversation, or hold its operations until its invitation is accepted.
    var barriers = 0
    var posting = 0
    var texts = Unready()
    var media = Unready()
    /// Entries with a `heldUntil`, which may have passed.
    var held = 0
    /// Entries that depend on a message.
    var dependent = 0
    /// Entries that post a message and have not left the outbox.
    var messages = 0

    mutating func add(_ entry: Entry) { count(entry, by: 1) }
    mutating func remove(_ entry: Entry) { count(entry, by: -1) }

    private mutating func count(_ entry: Entry, by step: Int) {
      if entry.isBarrier { barriers += step }
      if entry.work == .posting { posting += step }
      if entry.isMedia { count(entry, in: &media, by: step) } else { count(entry, in: &texts, by: step) }
      if entry.heldUntil != nil { held += step }
      if entry.dependsOn != nil { dependent += step }
      if entry.message != nil, !entry.isGone { messages += step }
    }

    private func count(_ entry: Entry, in unready: inout Unready, by step: Int) {
      if !entry.isReady { unready.all += step }
      if entry.work == .preparing { unready.preparing += step }
    }
  }
}
