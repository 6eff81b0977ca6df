import Foundation
import Skein

extension FaultyBackend {
  func upload(_ source: UploadSource, resuming token: UploadToken?, report: UploadReporter) async throws
    -> RemoteMedia
  {
    var token = token
    fault.token(&token, memory)
    if let token, fault.flaws.contains(.refusesUnknownTokens), !memory.with({ $0.tokens.contains(token) }) {
      throw BackendError(.permanent, "There is no such upload.")
    }
    let media = try await base.require(\.media).upload(source, resuming: token) { progress in
      var progress = progress
      fault.progress(&progress, memory)
      if let token = progress.token { memory.with { _ = $0.tokens.insert(token) } }
      do {
        try await report(progress)
      } catch {
        if !fault.flaws.contains(.swallowsReporter) { throw error }
      }
    }
    memory.with { [user = memory.user] in $0.uploaders[media.id] = user }
    return media
  }

  func download(_ media: RemoteMedia, to file: URL) async throws {
    let owner = memory.with { $0.uploaders[media.id] }
    if fault.flaws.contains(.downloadsOnlyOwn), owner != memory.user {
      throw BackendError(.permanent, "It is somebody else's.")
    }
    if fault.flaws.contains(.leavesPartialFile) { try Data("half".utf8).write(to: file) }
    try await altering { try await base.require(\.media).download(media, to: file) }
    if fault.flaws.contains(.downloadsLess) { try Data(contentsOf: file).dropLast().write(to: file) }
  }

  func rehost(_ url: URL) async throws -> RemoteMedia {
    var media = try await altering { try await base.require(\.rehosting).rehost(url) }
    if fault.flaws.contains(.losesTypeOfCopies) { media.type = "application/octet-stream" }
    return media
  }

  func altered(_ messages: [IncomingMessage]) -> [IncomingMessage] {
    var seen: Set<MessageID> = []
    return messages.compactMap { message in
      if fault.flaws.contains(.losesIDsOfOthers), let id = message.messageID, !seen.insert(id).inserted {
        return nil
      }
      var message = message
      fault.message(&message, memory)
      return message
    }
  }

  func altered(_ error: any Error) -> any Error {
    guard var error = error as? BackendError else { return error }
    fault.error(&error, memory)
    return error
  }

  func altering<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch { throw altered(error) }
  }

  func ignoringCancellation<Value: Sendable>(
    _ flaw: Fault.Flaw, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard fault.flaws.contains(flaw) else { return try await body() }
    return try await Task { try await body() }.value
  }

  func untilCancelled() async {
    let (end, never) = AsyncStream.makeStream(of: Never.self)
    defer { never.finish() }
    for await _ in end {}
  }
}

extension BackendError {
  /// The same error with another code or another outcome.
  func with(_ code: Code? = nil, outcomeIsUnknown: Bool? = nil) -> BackendError {
    BackendError(
      code ?? self.code, message, retryAfter: retryAfter,
      outcomeIsUnknown: outcomeIsUnknown ?? self.outcomeIsUnknown,
      stored: stored, cause: cause)
  }
}

extension OutgoingMessage {
  /// The same message under another id.
  func with(id: MessageID) -> OutgoingMessage {
    OutgoingMessage(
      id: id, conversation: conversation, kind: kind, payload: payload, parameters: parameters,
      isCountable: isCountable)
  }
}
