import Skein
import SkeinCards
import SkeinTerminal

/// Tables, and the texts of other lines.
extension ChatLayout {
  /// The conversations in columns.
  static func table(of conversations: [Conversation]) -> String {
    guard !conversations.isEmpty else { return "  No conversations yet." }
    let names = conversations.map { SafeText.line($0.name) }
    let unread = conversations.map {
      $0.unreadCount > 0 ? Self.unread($0) : $0.isMarkedUnread ? SettingLabel.markedUnread.state : ""
    }
    let states = conversations.map { conversation in
      [SettingLabel.pinned, .muted].filter { conversation[$0.setting] }.map(\.state).joined(separator: ", ")
    }
    let width = names.map(\.columns).max() ?? 0
    // Without any setting, the list has no column for them.
    let columns = [unread] + (states.contains { !$0.isEmpty } ? [states] : [])
    let widths = columns.map { $0.map(\.columns).max() ?? 0 }
    return conversations.indices.map { index in
      // A message may be shortened, a reason may not.
      let hint = conversations[index].asksToJoin ? "; /accept or /decline" : ""
      let invitation = conversations[index].invitationText.map { SafeText.line($0) + hint }
      if let failure = conversations[index].failure {
        return "  \(names[index]): \(SafeText.line(failure.message))\(invitation.map { " \($0)" } ?? "")"
      }
      if let invitation { return "  \(names[index].padded(to: width))  \(invitation)" }
      let last = conversations[index].lastMessage.map { SafeText.line($0.content.displayedText) } ?? ""
      let cells = columns.indices.map { columns[$0][index].padded(to: widths[$0]) + "  " }.joined()
      return "  \(names[index].padded(to: width))  " + cells + last.shortened(to: 44)
    }.joined(separator: "\n")
  }

  /// Unsent messages in columns, with their numbers for /cancel.
  static func table(of waiting: [WaitingMessage], at now: Timestamp) -> String {
    guard !waiting.isEmpty else { return "  Nothing waits to be sent." }
    let rows = waiting.enumerated().map { index, entry in
      let text = SafeText.line(entry.message.content.displayedText).shortened(to: 32)
      return [
        String(index + 1), SafeText.line(entry.chat).shortened(to: 16), text, entry.standing.line(at: now),
      ]
    }
    let widths = (0..<3).map { column in rows.map { $0[column].columns }.max() ?? 0 }
    return rows.map { row in
      "  \(row[0].indented(to: widths[0]))  \(row[1].padded(to: widths[1]))  "
        + "\(row[2].padded(to: widths[2]))  ◷ \(row[3])"
    }.joined(separator: "\n")
  }

  /// Actions in columns, with their numbers for /do.
  static func table(of offers: [TerminalOffer]) -> String {
    guard !offers.isEmpty else { return "  The messages shown here have no actions." }
    return columns(
      offers.enumerated().map { index, offer in
        [
          String(index + 1), SafeText.line(offer.card.displayedText).shortened(to: 32),
          SafeText.line(offer.action.title),
        ]
      })
  }

  /// Found messages in columns: time, chat, sender, text.
  static func table(of found: [FoundMessage], _ moment: Moment) -> String {
    guard !found.isEmpty else { return "  Nothing found here." }
    return columns(
      found.map { entry in
        row(entry.message.time, entry.chat, entry.message.sender, entry.message.content, moment)
      })
  }

  /// Messages with a flag in columns: time, chat, sender, text.
  static func table(of flagged: [ListedMessage], _ label: FlagLabel, _ moment: Moment) -> String {
    guard !flagged.isEmpty else { return "  No message is \(label.state) yet; type /\(label.verb)." }
    return columns(
      flagged.map { entry in
        row(entry.message.time, entry.chat, entry.message.sender, entry.message.content, moment)
      })
  }

  private static func row(
    _ time: Timestamp, _ chat: String, _ sender: UserID, _ content: StoredContent, _ moment: Moment
  ) -> [String] {
    [
      "\(moment.day(time)) \(moment.time(time))", SafeText.line(chat).shortened(to: 16),
      SafeText.line(sender.rawValue).shortened(to: 12),
      SafeText.line(content.displayedText).shortened(to: 44),
    ]
  }

  /// Rows of cells. Each cell is padded to the width of its column, except in the last column.
  static func columns(_ rows: [[String]]) -> String {
    let last = (rows.first?.count ?? 1) - 1
    let widths = (0..<last).map { column in rows.map { $0[column].columns }.max() ?? 0 }
    return rows.map { row in
      "  " + (0..<last).map { row[$0].padded(to: widths[$0]) + "  " }.joined() + row[last]
    }.joined(separator: "\n")
  }

  static func text(of outcome: CancelOutcome, _ message: ChatMessage) -> String {
    let text = SafeText.line(message.content.displayedText).shortened(to: 32)
    return switch outcome {
    case .cancelled: "cancelled: \(text)"
    case .tooLate: "too late, already sent: \(text)"
    case .unknown: "it may have arrived, and is not sent again: \(text)"
    }
  }

  static func text(of gap: MessageGap) -> String {
    let messages = gap.unreadCount.map { "\($0) unread messages" } ?? "messages"
    return switch gap.state {
    case .open: "\(messages) not loaded yet; /more loads them"
    case .stalled: "\(messages) that the server did not return; /more tries again"
    case .unavailable: "messages that the server no longer has"
    }
  }

  static func rest(hasOlder: Bool, hasNewer: Bool) -> String {
    switch (hasOlder, hasNewer) {
    case (false, false): ", that is all"
    case (true, false): ", /more shows older ones"
    case (false, true): ", /newer shows newer ones"
    case (true, true): ", /more shows older ones, /newer newer ones"
    }
  }

  /// The words for changed settings. Opening a chat removes its mark as unread, which needs no words.
  static func settings(from old: Conversation, to new: Conversation, isOpen: Bool) -> [String] {
    SettingLabel.all.compactMap { label in
      let isSet = new[label.setting]
      if isSet == old[label.setting] || (isOpen && !isSet && label == .markedUnread) { return nil }
      return "\(isSet ? "" : "no longer ")\(label.state)"
    }
  }

  static func unread(_ conversation: Conversation) -> String {
    let calls = conversation.unreadMentionCount == 0 ? "" : ", \(conversation.unreadMentionCount) mention you"
    return "\(conversation.unreadCount)\(conversation.unreadIsAtLeast ? " or more" : "") unread\(calls)"
  }

  static func count(_ count: Int, _ word: String) -> String {
    "\(count) \(word)\(count == 1 ? "" : "s")"
  }
}
