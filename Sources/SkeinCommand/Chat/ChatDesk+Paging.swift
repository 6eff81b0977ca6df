import Foundation
import Skein

extension ChatDesk {
  /// Fills the newest open gap. If no gap is open, shows older messages. If there are no older messages
  /// either, tries the newest stalled gap again.
  func more() async throws {
    let chat = try openChat()
    let gaps = chat.messages.compactMap(\.gap)
    if let gap = gaps.last(where: { $0.state == .open }) {
      try await fill(gap, of: chat)
    } else if chat.hasMorePreviousMessages {
      try await chat.fetchMorePreviousMessages()
    } else if let gap = gaps.last(where: { $0.state == .stalled }) {
      try await fill(gap, of: chat)
    }
    await showPage(of: chat)
  }

  /// Shows newer messages if the list does not reach the end of the chat.
  func newer() async throws {
    let chat = try openChat()
    try await chat.fetchMoreNextMessages()
    await showPage(of: chat)
  }

  /// Jumps to `date`. If `date` is nil, jumps to the end of the chat.
  func jump(to date: DateComponents?) async throws {
    let chat = try openChat()
    await stopFollowing()
    var failure: (any Error)?
    do {
      if let date, let moment = Calendar(identifier: .gregorian).date(from: date) {
        try await chat.jump(to: Timestamp(milliseconds: Int64(moment.timeIntervalSince1970 * 1000)))
      } else {
        try await chat.jumpToNewest()
      }
    } catch {
      failure = error
    }
    try await show(chat.conversation, name: name)
    if let failure { throw failure }
    await showPage(of: chat)
  }

  func hasMore(in chat: ChatContext) -> Bool {
    chat.hasMorePreviousMessages
      || chat.messages.contains { $0.gap.map { $0.state != .unavailable } ?? false }
  }

  private func fill(_ gap: MessageGap, of chat: ChatContext) async throws {
    try await chat.fill(gap)
    // The list has the new messages once the gap has changed or is gone.
    for await update in chat.changes where !update.snapshot.contains(.gap(gap)) { break }
  }

  private func showPage(of chat: ChatContext) async {
    await showAll(of: chat) { true }
    await output.show([
      .page(count: count(in: chat), hasMore: hasMore(in: chat), hasNewer: chat.hasMoreNextMessages)
    ])
  }
}
