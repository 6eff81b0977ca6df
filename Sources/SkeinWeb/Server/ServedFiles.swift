import Skein
import Synchronization

/// The files that pages may ask for: those of messages that were drawn, by numbers that say nothing.
final class ServedFiles: Sendable {
  private struct State {
    var numbers: [MessageAttachment: Int] = [:]
    var attachments: [MessageAttachment] = []
  }
  private let state = Mutex(State())

  func path(of attachment: MessageAttachment) -> FilePath {
    state.withLock { state in
      if let known = state.numbers[attachment] { return FilePath(known) }
      state.attachments.append(attachment)
      state.numbers[attachment] = state.attachments.count - 1
      return FilePath(state.attachments.count - 1)
    }
  }

  subscript(number: Int) -> MessageAttachment? {
    state.withLock { $0.attachments.indices.contains(number) ? $0.attachments[number] : nil }
  }
}
