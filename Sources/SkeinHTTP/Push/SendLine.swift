#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel
import SkeinSockets
import SkeinWire
import Synchronization

/// Sends messages over the push channel's socket while the socket is open.
final class SendLine: Sendable {
  private let current = Mutex<SendLink?>(nil)
  private let options: HTTPOptions

  init(_ options: HTTPOptions) { self.options = options }

  /// The link that messages are sent over; nil if no open socket accepts messages.
  var link: SendLink? { current.withLock { $0 } }

  /// Creates a link for a socket; sends nothing over it yet.
  func link(_ socket: any WebSocketConnection) -> SendLink { SendLink(socket, options) }

  /// Uses a link for later messages. Called when the server's hello announces that the server accepts
  /// messages over the socket.
  func opened(_ link: SendLink) { current.withLock { $0 = link } }

  /// Ends the link of a closed socket. The sends without an ACK then return `failed`.
  func closed(_ link: SendLink) {
    current.withLock { if $0 === link { $0 = nil } }
    link.end()
  }

  /// The result of sending over the socket.
  enum Outcome {
    case acknowledged(SendReceipt)
    /// The message has no ACK, and must be sent by HTTP or over another socket. `mayHaveArrived` states
    /// whether the server may have received the message.
    case failed(mayHaveArrived: Bool)
  }

  /// Sends a message over the socket. If no open socket accepts messages, returns `failed` at once.
  func send(_ message: Wire.MessageRequest, to conversation: Wire.ConversationID) async throws -> Outcome {
    try await link?.send(message, to: conversation) ?? .failed(mayHaveArrived: false)
  }
}

/// One socket with its unacknowledged messages.
///
/// 1. If the socket closes before a message is sent or acknowledged, the outcome of the message is `failed`.
/// 2. A socket with an overdue ACK is closed before the send fails.
final class SendLink: Sendable {
  private struct SocketClosed: Error {}

  private let socket: any WebSocketConnection
  private let sends: AcknowledgedSends<Wire.SentMessage>
  private let limit: Duration

  fileprivate init(_ socket: any WebSocketConnection, _ options: HTTPOptions) {
    self.socket = socket
    sends = AcknowledgedSends(options.runtime)
    limit = options.acknowledgementTimeout
  }

  /// Handles a received frame; a frame that answers no message is ignored.
  func take(_ type: Wire.SocketFrame.Kind, _ frame: [UInt8]) {
    switch type {
    case .ack:
      guard let ack = try? Wire.decode(Wire.AckFrame.self, from: frame) else { return }
      sends.acknowledge(ack.sent, SendReceipt(ack.receipt))
    case .refused:
      guard let refused = try? Wire.decode(Wire.RefusedFrame.self, from: frame), let sent = refused.sent
      else { return }
      sends.refuse(sent, BackendError(refused))
    default: break
    }
  }

  fileprivate func send(
    _ message: Wire.MessageRequest, to conversation: Wire.ConversationID
  ) async throws -> SendLine.Outcome {
    let frame = try Self.frame(of: message, to: conversation)
    let name = Wire.SentMessage(conversation: conversation, id: message.id)
    return try await outcome {
      try await sends.send(name, within: limit) { [socket] in try await socket.send(frame) }
    }
  }

  /// Sends messages one after the other, and reports each outcome as soon as it is known.
  func send(
    _ messages: [Wire.MessageRequest], to conversation: Wire.ConversationID,
    report:
      @escaping @concurrent @Sendable (Wire.MessageID, Result<SendLine.Outcome, any Error>) async -> Void
  ) async {
    let numbered = Dictionary(messages.map { ($0.id, $0) }) { $1 }
    let names = messages.map { Wire.SentMessage(conversation: conversation, id: $0.id) }
    await sends.send(names, within: limit) { [socket] name in
      guard let message = numbered[name.id] else { return }
      try await socket.send(try Self.frame(of: message, to: conversation))
    } report: { name, answer in
      do {
        await report(name.id, .success(try await self.outcome { try answer.get() }))
      } catch {
        await report(name.id, .failure(error))
      }
    }
  }

  private static func frame(of message: Wire.MessageRequest, to conversation: Wire.ConversationID) throws
    -> WebSocketMessage
  {
    let frame = try Wire.encode(Wire.SendFrame(message, to: conversation))
    return WebSocketMessage(text: String(decoding: frame, as: UTF8.self))
  }

  private func outcome(_ send: () async throws -> SendReceipt) async throws -> SendLine.Outcome {
    do {
      return .acknowledged(try await send())
    } catch is SocketClosed {
      return .failed(mayHaveArrived: true)
    } catch is SocketError {
      #if os(Linux)
        // The socket was closed before this frame was sent.
        return .failed(mayHaveArrived: false)
      #else
        // `URLSessionWebSocketTask` does not tell whether the frame was sent before the error.
        return .failed(mayHaveArrived: true)
      #endif
    } catch let error as BackendError where error.cause is MissedAcknowledgement {
      await socket.close()
      throw error
    }
  }

  fileprivate func end() { sends.close(SocketClosed()) }
}

extension BackendError {
  /// Creates the error that an HTTP request throws if the server refuses the request for the same reason.
  init(_ refused: Wire.RefusedFrame) {
    self.init(
      status: refused.status, Wire.ErrorResponse(error: refused.error, message: refused.message),
      retryAfter: RetryAfter.duration(refused.retryAfter.map { String($0) }, date: nil))
  }
}

extension HTTPOptions {
  /// The system's runtime with this backend's sleep; the runtime's folder is not used.
  fileprivate var runtime: Runtime {
    var runtime = Runtime.system(directory: URL(filePath: "/"))
    runtime.sleepUntil = { [sleep, uptime = runtime.uptime] deadline in
      try await sleep(max(deadline - uptime(), .zero))
    }
    return runtime
  }
}
