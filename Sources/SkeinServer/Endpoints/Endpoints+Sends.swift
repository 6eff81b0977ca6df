import SkeinSockets
import SkeinWire

extension Endpoints {
  /// Takes messages from a socket until its client leaves, and answers each.
  ///
  /// 1. They are stored in the order they came in, and answered after their commit, in any order.
  /// 2. A client that doesn't take its answers, or sends faster than they are made, isn't read any further.
  /// 3. What is no frame for the server is skipped, and what is no message is refused.
  func receiveSends(from socket: any WebSocketConnection, _ asker: Asker) async {
    await withTaskGroup(of: Void.self) { group in
      var underWay = 0
      while let message = try? await socket.receive() {
        guard message.type == .send else { continue }
        let sent = try? Wire.decode(SentName.self, from: message.bytes).sent
        do {
          let posting = try posting(in: message, asker)
          if underWay >= max(options.limits.socketSends, 1) {
            await group.next()
            underWay -= 1
          }
          let pending = await commits.add(posting)
          underWay += 1
          group.addTask { await answer(pending, sent, to: socket) }
        } catch {
          await refuse(sent, error, to: socket)
        }
      }
    }
  }

  private func posting(in message: WebSocketMessage, _ asker: Asker) throws -> Posting {
    guard let frame = try? Wire.decode(Wire.SendFrame.self, from: message.bytes) else {
      throw Refusal(status: 400, code: .badJSON, message: "The frame is not the JSON of a `send`.")
    }
    guard asker.expires > now else { throw Refusal.unauthorized }
    guard let conversation = ConversationID(frame.conversation) else { throw Refusal.notFound }
    return try Posting(frame.message, by: asker.user, in: conversation, limit: options.limits.content)
  }

  private func answer(
    _ pending: MessageCommits.Pending, _ sent: Wire.SentMessage?, to socket: any WebSocketConnection
  ) async {
    do {
      let row = try await pending.outcome.message.row
      // A client that is gone will ask again.
      try? await socket.send(.frame(Wire.AckFrame(row.receipt(in: epoch), in: row.conversation.wire)))
    } catch {
      await refuse(sent, error, to: socket)
    }
  }

  private func refuse(_ sent: Wire.SentMessage?, _ error: any Error, to socket: any WebSocketConnection) async
  {
    let refusal = Refusal(error) ?? serverFailed(error, "send on /v1/socket")
    let frame = Wire.RefusedFrame(
      sent, status: refusal.status, error: Wire.Failure(code: refusal.code, message: refusal.message),
      retryAfter: refusal.headers["Retry-After"].flatMap { Int64($0) }, message: refusal.stored)
    try? await socket.send(.frame(frame))
  }
}

/// What a frame names, whatever else is wrong with it.
private struct SentName: Decodable {
  let id: Wire.MessageID
  let conversation: Wire.ConversationID

  var sent: Wire.SentMessage { Wire.SentMessage(conversation: conversation, id: id) }
}

extension WebSocketMessage {
  /// What a frame from a client says; nil for what is no frame of the protocol.
  fileprivate var type: Wire.SocketFrame.Kind? {
    guard kind == .text else { return nil }
    return try? Wire.decode(TypedFrame.self, from: bytes).type
  }
}

private struct TypedFrame: Decodable {
  let type: Wire.SocketFrame.Kind
}
