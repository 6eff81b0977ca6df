import Skein
import Synchronization

/// The files that pages may request: the files of messages that were drawn. A number identifies each file.
///
/// A file keeps its number when its message is sent, so that the page need not load the file again.
final class ServedFiles: Sendable {
  /// Identifies a file by its message, the time of the message's last edit, and the file's index in the card.
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
