#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel
import SkeinSockets
import SkeinWire
import Synchronization

/// The way over the push channel's socket, which messages take while there is one.
final class SendLine: Sendable {
  private let current = Mutex<SendLink?>(nil)
  private let options: HTTPOptions

  init(_ options: HTTPOptions) { self.options = options }

  /// A link for a socket; nothing goes over it yet.
  func link(_ socket: any WebSocketConnection) -> SendLink { SendLink(socket, options) }

  /// From now on messages go over this link, whose server takes them.
  func opened(_ link: SendLink) { current.withLock { $0 = link } }

  /// The link's socket is closed: what waits for its ACK goes another way.
  func closed(_ link: SendLink) {
    current.withLock { if $0 === link { $0 = nil } }
    link.end()
  }

  /// What became of a message on this way.
  enum Outcome {
    case acknowledged(SendReceipt)
    /// It has to go another way; the server may have it all the same.
    case failed(mayHaveArrived: Bool)
  }

  /// Sends a message over the socket, where there is one.
  func send(_ message: Wire.MessageRequest, to conversation: Wire.ConversationID) async throws -> Outcome {
    try await current.withLock({ $0 })?.send(message, to: conversation) ?? .failed(mayHaveArrived: false)
  }
}

/// One socket with the messages that wait for their ACK on it.
///
/// 1. A message that can't go this way, or was on it when the socket closed, is given back to go another.
/// 2. A socket that owes an ACK past its deadline is closed before anybody hears of it.
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

  /// Takes a frame that the socket brought; what answers nothing is skipped.
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
    let frame = try Wire.encode(Wire.SendFrame(message, to: conversation))
    let text = WebSocketMessage(text: String(decoding: frame, as: UTF8.self))
    let name = Wire.SentMessage(conversation: conversation, id: message.id)
    do {
      let receipt = try await sends.send(name, within: limit) { [socket] in try await socket.send(text) }
      return .acknowledged(receipt)
    } catch is SocketClosed {
      return .failed(mayHaveArrived: true)
    } catch is SocketError {
      // Closed, and this frame was never on it.
      return .failed(mayHaveArrived: false)
    } catch let error as BackendError where error.cause is MissedAcknowledgement {
      await socket.close()
      throw error
    }
  }

  fileprivate func end() { sends.close(SocketClosed()) }
}

extension BackendError {
  /// The same as what the server would have answered a request with.
  init(_ refused: Wire.RefusedFrame) {
    self.init(
      status: refused.status, Wire.ErrorResponse(error: refused.error, message: refused.message),
      retryAfter: RetryAfter.duration(refused.retryAfter.map { String($0) }, date: nil))
  }
}

extension HTTPOptions {
  /// The system's time with this backend's way to wait; it has no use for the folder.
  fileprivate var runtime: Runtime {
    var runtime = Runtime.system(directory: URL(filePath: "/"))
    runtime.sleepUntil = { [sleep, uptime = runtime.uptime] deadline in
      try await sleep(max(deadline - uptime(), .zero))
    }
    return runtime
  }
}
