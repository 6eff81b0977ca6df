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
        remainder.refuse(id)
        await report(id, .failure(error))
      }
    }
    for message in messages.dropFirst(requests.count) { remainder.add(message.id, mayHaveArrived: false) }
    await send(remainder, of: messages, report: report)
  }

  /// Sends by HTTP the messages that the socket did not deliver, up to the first one that is not stored.
  private func send(_ remainder: Remainder, of messages: [OutgoingMessage], report: SendReporter) async {
    var isStopped = false
    for message in messages {
      guard let mayHaveArrived = remainder.mayHaveArrived(message.id) else {
        isStopped = isStopped || remainder.isRefused(message.id)
        continue
      }
      do {
        if isStopped { throw BackendError.outOfOrder(mayHaveArrived: mayHaveArrived) }
        await report(message.id, .success(try await post(message, mayHaveArrived: mayHaveArrived)))
      } catch {
        isStopped = true
        await report(message.id, .failure(error))
      }
    }
  }
}

/// The messages of a pipeline that the socket did not deliver.
private final class Remainder: Sendable {
  private let state = Mutex((mayHaveArrived: [MessageID: Bool](), refused: Set<MessageID>()))

  func add(_ message: MessageID, mayHaveArrived: Bool) {
    state.withLock { $0.mayHaveArrived[message] = mayHaveArrived }
  }

  func refuse(_ message: MessageID) { state.withLock { _ = $0.refused.insert(message) } }

  /// Nil for a message with an answer.
  func mayHaveArrived(_ message: MessageID) -> Bool? { state.withLock { $0.mayHaveArrived[message] } }

  func isRefused(_ message: MessageID) -> Bool { state.withLock { $0.refused.contains(message) } }
}
