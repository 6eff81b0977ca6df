import SkeinStorage

/// The messages of an earlier epoch that an answer contains.
extension Intake {
  /// Moves the read mark of an earlier epoch to the last of the messages that were read then. New messages before it were not
  /// read: the server may have lost the message, and its sender may have sent it again.
  func markRead(_ ranks: Set<Rank>, in id: ConversationID) throws {
    guard !ranks.isEmpty else { return }
    let counted = try work.rows.firstCountedMessages(in: id, limit: ranks.count + 1)
    let unread = counted.first { !ranks.contains($0) }
    guard let read = ranks.filter({ $0 < unread ?? .highest }).max() else { return }
    try work.change(id) { row in
      row.readMark = read
      if store.capabilities.readMarks { row.pendingReadMark = read }
    }
  }

  /// Notes that the server of the current epoch has an own message that gets no place. The message is not lost.
  func confirm(_ message: IncomingMessage, in id: ConversationID) throws {
    guard message.sender == store.account, var row = try work.rows.message(like: message, in: id),
      row.status == .sent, row.rank.isEarlier
    else { return }
    row.epoch = work.account.epoch
    try work.update(row)
  }
}
