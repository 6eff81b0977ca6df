import Foundation
import Skein

extension BoardBackend: ReadMarkBackend {
  func markRead(_ conversation: ConversationRef, upTo mark: MessageMark, in epoch: Epoch?) async throws {
    let path = "chats/\(conversation.rawValue)/mark"
    let _: BoardPoll = try await post(path, mark.position?.rawValue)
  }
}

enum Backends {
  static func withReadMarks(_ backend: BoardBackend) -> BackendCapabilities {
    var capabilities = backend.capabilities
    capabilities.readMarks = backend
    return capabilities
  }

  static func download(_ media: RemoteMedia, to file: URL, from inner: any ChatBackend) async throws {
    try await inner.require(\.media).download(media, to: file)
  }
}
