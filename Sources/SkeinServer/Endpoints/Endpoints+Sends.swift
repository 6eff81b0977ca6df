import SkeinSockets
import SkeinWire

extension Endpoints {
  /// Receives messages from a socket until the socket closes, and answers each message.
  ///
  /// 1. Messages are stored in the order of their arrival. They are answered after their commits, in any order.
  /// 2. The server stops receiving while too many messages of the socket are unanswered. This happens if the
  ///    client does not receive the answers, or sends messages too fast.
  /// 3. Frames of a type other than `send` are ignored, and invalid `send` frames are refused.
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
      // A client that has disconnected repeats its message later.
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

/// The id and conversation of a frame whose other fields may be invalid.
private struct SentName: Decodable {
  let id: Wire.MessageID
  let conversation: Wire.ConversationID

  var sent: Wire.SentMessage { Wire.SentMessage(conversation: conversation, id: id) }
}

extension WebSocketMessage {
  /// The type of a client's frame; nil if the message is not a frame of the protocol.
  fileprivate var type: Wire.SocketFrame.Kind? {
    guard kind == .text else { return nil }
    return try? Wire.decode(TypedFrame.self, from: bytes).type
  }
}

private struct TypedFrame: Decodable {
  let type: Wire.SocketFrame.Kind
}
