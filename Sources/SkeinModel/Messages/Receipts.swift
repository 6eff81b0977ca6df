/// How far the others in a chat have got its messages, and read them.
///
/// A value of one moment; ``ChatContext/receipts`` has the newest. What was delivered or read of the chat is a place for each
/// member, so that it costs nothing to ask of any message.
public struct Receipts: Sendable, Hashable {
  /// How far one message has come with those it is for.
  public enum Stage: Int, Sendable, Hashable, Comparable {
    /// Not all of them have it, by what is known.
    case sent
    /// All of them have it.
    case delivered
    /// All of them have read it.
    case read

    /// Earlier stages first.
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

  /// By user.
  package let marks: [Mark]

  package init(_ marks: [Mark] = []) { self.marks = marks }

  /// How far a message has come with all members but its sender; `sent` where nobody else is in the chat.
  public func stage(of message: ChatMessage) -> Stage {
    let others = marks.filter { $0.user != message.sender }
    guard message.isAcknowledged, !others.isEmpty else { return .sent }
    if others.allSatisfy({ $0.read >= message.rank }) { return .read }
    return others.allSatisfy { $0.delivered >= message.rank } ? .delivered : .sent
  }

  /// How far each of the others is, by user, in the server's words; of what is not known, nil.
  public var positions: [MemberReceipt] {
    marks.map {
      MemberReceipt(user: $0.user, delivered: $0.delivered.position, read: $0.read.position)
    }
  }

  /// Who has read a message, beside its sender and this account, sorted.
  public func readers(of message: ChatMessage) -> [UserID] {
    who(message) { $0.read }
  }

  /// Who has got a message, read or not, beside its sender and this account, sorted.
  public func receivers(of message: ChatMessage) -> [UserID] {
    who(message) { $0.delivered }
  }

  private func who(_ message: ChatMessage, _ mark: (Mark) -> Rank) -> [UserID] {
    guard message.isAcknowledged else { return [] }
    return marks.filter { $0.user != message.sender && mark($0) >= message.rank }.map(\.user)
  }
}

extension ChatMessage {
  /// Whether it stands where the server has it now: of messages of before nothing is known any more.
  fileprivate var isAcknowledged: Bool { status == .sent && !rank.isUnsent && !rank.isEarlier }
}

extension Rank {
  /// The server's position that it stands for.
  fileprivate var position: Position? {
    rawValue > 0 && !isUnsent ? Position(rawValue: rawValue) : nil
  }
}
