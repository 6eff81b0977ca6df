/// The messages that are still to be sent, at one moment: a value that never changes.
///
/// Edits, recalls, reactions and pins are not among them; that one waits says ``ChatMessage/hasPendingRevision``.
public struct OutboxStatus: Sendable, Equatable {
  var lanes: [OutboxLane] = []
  /// Until when every lane waits for the connection, by the uptime.
  var heldUntil: Duration?
  /// Whether nothing is tried until the next start.
  var isSignedOut = false
  var fractions: [OperationID: Double] = [:]
  var reasons: [OperationID: String] = [:]
  /// The wall clock and the uptime of the moment.
  var now = Timestamp(milliseconds: 0)
  var uptime = Duration.zero
  var revision = 0

  /// How many messages are on their way, over all conversations; 0 while the client is stopped.
  public var count: Int { lanes.reduce(0) { $0 + $1.entries.count { $0.message != nil && !$0.isGone } } }

  /// Whether messages are being prepared: with attachments to upload, one may be on its way for a long time then.
  public var isPreparing: Bool { lanes.contains { $0.entries.contains { $0.work == .preparing } } }

  /// When what is ``SendState/waitingForConnection`` is tried next; at once when the push channel opens before. Nil while
  /// nothing waits for the connection.
  public var nextTry: Timestamp? { heldUntil.map { now + ($0 - uptime) } }

  /// How a message stands; nil for one that is not on its way. Computed when asked for.
  public func state(of message: LocalMessageID) -> SendState? {
    for lane in lanes {
      guard let standing = lane.standing(of: message, at: uptime) else { continue }
      return state(standing.operation, standing.place)
    }
    return nil
  }

  private func state(_ operation: OperationID, _ place: OutboxLane.Place) -> SendState {
    let reason = reasons[operation] ?? "The server failed at it."
    switch place {
    case .preparing: return .preparing(fraction: fractions[operation] ?? 0)
    case .posting: return .posting
    case .parked: return .parked(reason: reason)
    case _ where isSignedOut: return .signedOut
    case _ where heldUntil != nil: return .waitingForConnection
    case .held(let until): return .waiting(until: now + (until - uptime), reason: reason)
    case .behind(let other): return .behind(other)
    case .next: return .queued
    }
  }

  /// The same moment.
  public static func == (left: Self, right: Self) -> Bool { left.revision == right.revision }
}
