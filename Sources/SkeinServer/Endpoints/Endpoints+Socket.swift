import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  private enum Ending { case closed, unauthorized }

  /// Serves `GET /v1/socket` until the client disconnects, the session ends, the token expires, or the server
  /// stops.
  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async {
    guard request.path == "/v1/socket" else {
      return await socket.close(code: .policyViolation, reason: "There is no socket here.")
    }
    do {
      let asker = try await asker(of: request)
      let listener = pushHub.listen(asker.user, session: asker.session)
      defer { pushHub.stop(listener, at: now) }
      // The peers are queried after the listener was added. So no new conversation is missed.
      pushHub.sharePresence(of: asker.user, with: try await database.read { try $0.peers(of: asker.user) })
      // The token is checked again after the listener was added, since the user may have signed out
      // meanwhile.
      _ = try await self.asker(of: request)
      try await socket.send(.frame(Wire.SocketFrame(type: .hello, user: asker.user, sends: true)))
      guard await serveUntilEnd(of: socket, asker, listener) == .unauthorized else { return }
      await socket.close(code: .unauthorized, reason: "The session ended.")
    } catch is Refusal {
      await socket.close(code: .unauthorized, reason: "This socket needs a valid token.")
    } catch is SocketError {
      // The client disconnected before `hello` was sent.
    } catch {
      let refusal = serverFailed(error, "GET /v1/socket")
      await socket.close(code: .internalError, reason: refusal.message)
    }
  }

  /// Sends pokes, typing and presence, and receives messages, until the client disconnects, the session ends,
  /// the token expires, or the server stops.
  private func serveUntilEnd(
    of socket: any WebSocketConnection, _ asker: Asker, _ listener: PushHub.Listener
  ) async -> Ending {
    await withTaskGroup(of: Ending.self) { group in
      group.addTask {
        await receiveSends(from: socket, asker)
        return .closed
      }
      group.addTask {
        guard let poke = try? WebSocketMessage.frame(Wire.SocketFrame(type: .poke)) else { return .closed }
        for await _ in listener.pokes {
          guard (try? await socket.send(poke)) != nil else { break }
        }
        return .closed
      }
      group.addTask {
        for await frame in listener.typing {
          guard (try? await socket.send(.frame(frame))) != nil else { break }
        }
        return .closed
      }
      group.addTask { [pushHub] in
        for await _ in listener.presences {
          for frame in pushHub.drainPresences(of: listener) {
            guard (try? await socket.send(.frame(frame))) != nil else { return .closed }
          }
        }
        return .closed
      }
      group.addTask {
        for await _ in listener.session {}
        return Task.isCancelled ? .closed : .unauthorized
      }
      group.addTask { [clock = options.clock] in
        try? await clock.sleep(asker.expires)
        return Task.isCancelled ? .closed : .unauthorized
      }
      defer { group.cancelAll() }
      return await group.next() ?? .closed
    }
  }
}

extension WebSocketCloseCode {
  fileprivate static let unauthorized = WebSocketCloseCode(rawValue: Wire.unauthorizedCloseCode)
}

extension WebSocketMessage {
  static func frame(_ frame: some Encodable) throws -> WebSocketMessage {
    WebSocketMessage(text: String(decoding: try Wire.encode(frame), as: UTF8.self))
  }
}
