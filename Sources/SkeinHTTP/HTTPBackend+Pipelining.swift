public import SkeinModel
import SkeinWire
import Synchronization

extension HTTPBackend {
  /// Sends messages of one conversation over the open socket, without waiting for each ACK. While no socket
  /// is open, sends the messages by HTTP, one after the other. If the socket closes, the messages without an
  /// ACK are sent again over the next socket or by HTTP.
  public func send(_ messages: [OutgoingMessage], report: @escaping SendReporter) async {
    var rest = messages.map { Unconfirmed(message: $0) }
    var lastLink: SendLink?
    while let first = rest.first {
      if let link = line?.link, link !== lastLink {
        lastLink = link
        rest = await send(rest, to: first.message.conversation, over: link, report: report)
        continue
      }
      rest.removeFirst()
      do {
        let receipt = try await post(first.message, mayHaveArrived: first.mayHaveArrived)
        await report(first.message.id, .success(receipt))
      } catch {
        await report(first.message.id, .failure(error))
        for other in rest { await report(other.message.id, .failure(other.outOfOrder)) }
        return
      }
    }
  }

  /// Sends messages over one socket, and reports their outcomes. If a message fails, reports the later
  /// messages that have no outcome as out of order.
  ///
  /// - Returns: the messages that were not reported and have to be sent again.
  private func send(
    _ messages: [Unconfirmed], to conversation: ConversationRef, over link: SendLink,
    report: @escaping SendReporter
  ) async -> [Unconfirmed] {
    var requests: [Wire.MessageRequest] = []
    for unconfirmed in messages {
      guard var request = try? Self.request(unconfirmed.message) else { break }
      request.after = requests.last?.id
      requests.append(request)
    }
    let answers = Answers()
    let doubtful = Set(messages.filter(\.mayHaveArrived).map(\.message.id))
    await link.send(requests, to: Wire.ConversationID(rawValue: conversation.rawValue)) { id, outcome in
      let id = MessageID(rawValue: id.rawValue)
      answers.add(id, outcome)
      switch outcome {
      case .success(.failed): break
      case .success(.acknowledged(let receipt)): await report(id, .success(receipt))
      case .failure(let error):
        await report(id, .failure(Self.error(error, mayHaveArrived: doubtful.contains(id))))
      }
    }
    var left: [Unconfirmed] = []
    var isRefused = false
    for var unconfirmed in messages {
      switch answers[unconfirmed.message.id] {
      case .success(.acknowledged)?: continue
      case .failure?:
        isRefused = true
        continue
      case .success(.failed(let mayHaveArrived))?:
        unconfirmed.mayHaveArrived = mayHaveArrived || unconfirmed.mayHaveArrived
      case nil: break
      }
      if isRefused {
        await report(unconfirmed.message.id, .failure(unconfirmed.outOfOrder))
      } else {
        left.append(unconfirmed)
      }
    }
    return left
  }
}

/// A message that the server has not confirmed.
private struct Unconfirmed: Sendable {
  let message: OutgoingMessage
  /// Whether the server may have received the message over a socket.
  var mayHaveArrived = false

  var outOfOrder: BackendError { .outOfOrder(mayHaveArrived: mayHaveArrived) }
}

/// The answers to messages that were sent over a socket.
private final class Answers: Sendable {
  typealias Answer = Result<SendLine.Outcome, any Error>

  private let answers = Mutex<[MessageID: Answer]>([:])

  subscript(_ message: MessageID) -> Answer? { answers.withLock { $0[message] } }

  func add(_ message: MessageID, _ answer: Answer) { answers.withLock { $0[message] = answer } }
}
