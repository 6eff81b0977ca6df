import Skein
import Synchronization

/// The files that pages may ask for: those of messages that were drawn, by numbers that say nothing.
///
/// A file keeps its number when its message was sent and the server has it: the page goes on showing what it has.
final class ServedFiles: Sendable {
  /// Which of a message's files it is, in the order in which they are drawn, since it was last edited.
  struct Place: Hashable {
    let message: LocalMessageID
    let edited: Timestamp?
    let index: Int
  }
  private struct State {
    var numbers: [Place: Int] = [:]
    var attachments: [MessageAttachment] = []
  }
  private let state = Mutex(State())

  func path(of attachment: MessageAttachment, at place: Place) -> FilePath {
    state.withLock { state in
      let number = state.numbers[place] ?? state.attachments.count
      if number == state.attachments.count { state.attachments.append(attachment) }
      state.attachments[number] = attachment
      state.numbers[place] = number
      return FilePath(number)
    }
  }

  subscript(number: Int) -> MessageAttachment? {
    state.withLock { $0.attachments.indices.contains(number) ? $0.attachments[number] : nil }
  }
}
