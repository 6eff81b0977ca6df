import Foundation

/// The server's histories for a user who was away.
struct DemoBacklog: Sendable {
  private let user: String
  private let histories: [String: [DemoWitness.Message]]

  /// - Parameter histories: The server's messages by chat.
  init(of user: String, _ histories: [String: [DemoWitness.Message]]) {
    self.user = user
    self.histories = histories
  }

  /// Loads the histories from the server.
  init(of user: String, _ witness: DemoWitness) async throws {
    var histories: [String: [DemoWitness.Message]] = [:]
    for conversation in try await witness.conversations() {
      histories[conversation.name] = try await witness.history(of: conversation)
    }
    self.init(of: user, histories)
  }

  /// The comparison for a chat.
  ///
  /// - Throws: ``DemoFailure`` if the number of the server's messages is not ``DemoChat/count`` plus 1. The
  ///   additional message is the user's own.
  func comparison(with chat: DemoChat) throws -> DemoComparison {
    let history = histories[chat.name] ?? []
    guard history.count == chat.count + 1 else {
      throw DemoFailure("the server has \(history.count) messages in \(chat.name), not \(chat.count + 1)")
    }
    return DemoComparison(history: history)
  }

  /// Counts the messages of other users after each read mark, and compares the counts with the expected
  /// counts. The server must have exactly the chats that have an expected count.
  ///
  /// - Parameter conversations: The server's conversations with the user's read marks.
  /// - Returns: The first difference, or nil.
  func difference(toUnread counts: [String: Int], by conversations: [DemoWitness.Conversation]) -> String? {
    guard Set(conversations.map(\.name)) == Set(counts.keys) else {
      return "there are \(conversations.count) chats, not exactly the \(counts.count) expected chats"
    }
    for conversation in conversations {
      let unread = (histories[conversation.name] ?? []).count {
        $0.position > conversation.readPosition && $0.sender != user
      }
      let count = counts[conversation.name] ?? 0
      if unread != count { return "\(conversation.name) has \(unread) unread, not \(count)" }
    }
    return nil
  }
}

/// A day of a history, in a time zone.
struct DemoDay: Sendable, Equatable {
  /// The date as a parameter of `/jump`.
  let text: String
  /// The index of the day's first message.
  let first: Int

  /// The day of the message in the middle of a history; nil for an empty history.
  init?(inTheMiddleOf history: [DemoWitness.Message], timeZone: TimeZone = .current) {
    guard let middle = history.dropFirst(history.count / 2).first else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let midnight = calendar.startOfDay(for: Date(timeIntervalSince1970: Double(middle.time) / 1000))
    let day = calendar.dateComponents([.year, .month, .day], from: midnight)
    text = String(format: "%04d-%02d-%02d", day.year ?? 0, day.month ?? 0, day.day ?? 0)
    let start = Int64(midnight.timeIntervalSince1970 * 1000)
    first = history.firstIndex { $0.time >= start } ?? 0
  }
}
