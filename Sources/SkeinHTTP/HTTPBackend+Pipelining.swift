public import SkeinModel
import SkeinWire
import Synchronization

extension HTTPBackend {
  /// Sends messages of one conversation over the open socket, without waiting for the ACKs of the messages before them.
  /// Without a socket they are sent one after the other. If the socket closes, the messages without an ACK are sent by
  /// HTTP, one after the other.
  public func send(_ messages: [OutgoingMessage], report: @escaping SendReporter) async {
    guard let link = line?.link, let conversation = messages.first?.conversation else {
      return await sendEach(messages, report: report)
    }
    var requests: [Wire.MessageRequest] = []
    for message in messages {
      guard var request = try? Self.request(message) else { break }
      request.after = requests.last?.id
      requests.append(request)
    }
    let remainder = Remainder()
    await link.send(requests, to: Wire.ConversationID(rawValue: conversation.rawValue)) { id, outcome in
      let id = MessageID(rawValue: id.rawValue)
      switch outcome {
      case .success(.failed(let mayHaveArrived)): remainder.add(id, mayHaveArrived: mayHaveArrived)
      case .success(.acknowledged(let receipt)): await report(id, .success(receipt))
      case .failure(let error):
        remainder.stop()
        await report(id, .failure(error))
      }
    }
    for message in messages.dropFirst(requests.count) { remainder.add(message.id, mayHaveArrived: false) }
    await send(remainder, of: messages, report: report)
  }

  /// Sends by HTTP the messages that the socket did not deliver. After one that the server did not store, none is sent.
  private func send(_ remainder: Remainder, of messages: [OutgoingMessage], report: SendReporter) async {
    for message in messages {
      guard let mayHaveArrived = remainder.mayHaveArrived(message.id) else { continue }
      do {
        if remainder.isStopped { throw BackendError.outOfOrder(mayHaveArrived: mayHaveArrived) }
        await report(message.id, .success(try await post(message, mayHaveArrived: mayHaveArrived)))
      } catch {
        remainder.stop()
        await report(message.id, .failure(error))
      }
    }
  }
}

/// The messages of a pipeline that the socket did not deliver.
private final class Remainder: Sendable {
  private let state = Mutex((mayHaveArrived: [MessageID: Bool](), isStopped: false))

  /// Whether a message of the pipeline was not stored.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  func stop() { state.withLock { $0.isStopped = true } }

  func add(_ message: MessageID, mayHaveArrived: Bool) {
    state.withLock { $0.mayHaveArrived[message] = mayHaveArrived }
  }

  /// Nil for a message with an answer.
  func mayHaveArrived(_ message: MessageID) -> Bool? { state.withLock { $0.mayHaveArrived[message] } }
}
