/// A snapshot of the messages that are still to be sent.
///
/// Edits, recalls, reactions, pins and stars are not included; ``ChatMessage/hasPendingAction`` shows whether such an
/// action is waiting.
public struct OutboxStatus: Sendable, Equatable {
  var lanes: [OutboxLane] = []
  /// The uptime until which every lane waits for the connection.
  var heldUntil: Duration?
  /// Whether the session has ended, so that nothing is tried until the next start.
  var isSignedOut = false
  var fractions: [OperationID: Double] = [:]
  var reasons: [OperationID: FailureReason] = [:]
  /// The wall clock and the uptime of the snapshot.
  var now = Timestamp(milliseconds: 0)
  var uptime = Duration.zero
  var revision = 0

  /// The number of messages that are still to be sent, over all conversations; 0 while the client is stopped,
  /// and if another process sends.
  public var count: Int { lanes.reduce(0) { $0 + $1.counts.messages } }

  /// Whether messages are being prepared. The preparation may take long if attachments must be uploaded.
  public var isPreparing: Bool {
    lanes.contains { $0.counts.texts.preparing + $0.counts.media.preparing > 0 }
  }

  /// The time at which messages in ``SendState/waitingForConnection`` are tried next. If the push channel
  /// opens earlier, the messages are tried at once. Nil if no connection failure delays the messages.
  public var nextTry: Timestamp? { heldUntil.map { now + ($0 - uptime) } }

  /// The state of a message that is still to be sent; nil for any other message. Always nil while the client
  /// is stopped, and if another process sends. Computed on each call.
  public func state(of message: LocalMessageID) -> SendState? {
    for lane in lanes {
      guard let standing = lane.standing(of: message, at: uptime) else { continue }
      return state(standing.operation, standing.place)
    }
    return nil
  }

  private func state(_ operation: OperationID, _ place: OutboxLane.Place) -> SendState {
    let reason =
      reasons[operation] ?? FailureReason(.transient, "An earlier attempt failed.")
    switch place {
    case .preparing: return .preparing(fraction: fractions[operation] ?? 0)
    case .posting: return .posting
    case .parked: return .parked(reason: reason)
    case _ where isSignedOut: return .signedOut
    case _ where heldUntil != nil: return .waitingForConnection
    case .held(let until): return .waiting(until: now + (until - uptime), reason: reason)
    case .blocked(let other): return .blocked(by: other)
    case .next: return .queued
    }
  }

  /// Whether both are the same snapshot.
  public static func == (left: Self, right: Self) -> Bool { left.revision == right.revision }
}
