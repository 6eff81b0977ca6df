/// The delivery and read receipts of the other members of a chat.
///
/// A snapshot; `ChatContext.receipts` returns the newest snapshot. A snapshot contains only the last delivered and
/// the last read message of each member, so computing the receipts of any message is cheap.
public struct Receipts: Sendable, Hashable {
  /// The progress of one message among its receivers.
  public enum Stage: Int, Sendable, Hashable, Comparable {
    /// For at least one receiver, no delivery is known.
    case sent
    /// All receivers have received the message.
    case delivered
    /// All receivers have read the message.
    case read

    /// Orders earlier stages first.
    public static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
  }

  package struct Mark: Sendable, Hashable {
    package let user: UserID
    package let delivered: Rank
    package let read: Rank

    package init(user: UserID, delivered: Rank, read: Rank) {
      self.user = user
      self.delivered = delivered
      self.read = read
    }
  }

  /// Sorted by user.
  package let marks: [Mark]

  package init(_ marks: [Mark] = []) { self.marks = marks }

  /// Returns the stage of a message among all members except its sender and this account. The stage is `sent`
  /// if nobody else is in the chat, or if the message's place in the current epoch is not known.
  public func stage(of message: ChatMessage) -> Stage {
    let others = marks.filter { $0.user != message.sender }
    guard message.isAcknowledged, !others.isEmpty else { return .sent }
    if others.allSatisfy({ $0.read >= message.rank }) { return .read }
    return others.allSatisfy { $0.delivered >= message.rank } ? .delivered : .sent
  }

  /// Returns the users who have read a message, sorted, without the sender and this account.
  public func readers(of message: ChatMessage) -> [UserID] {
    who(message) { $0.read }
  }

  /// Returns the users who have received a message, whether they have read it or not, sorted, without the sender and
  /// this account.
  public func receivers(of message: ChatMessage) -> [UserID] {
    who(message) { $0.delivered }
  }

  private func who(_ message: ChatMessage, _ mark: (Mark) -> Rank) -> [UserID] {
    guard message.isAcknowledged else { return [] }
    return marks.filter { $0.user != message.sender && mark($0) >= message.rank }.map(\.user)
  }
}

extension ChatMessage {
  /// Whether the message's place in the current epoch is known; receipts of earlier epochs are discarded.
  fileprivate var isAcknowledged: Bool { status == .sent && !rank.isUnsent && !rank.isEarlier }
}
