#if canImport(Darwin)
  import Foundation
  import Synchronization

  extension WebSocket {
    static func open(
      _ url: URL, headers: HTTPHeaders, options: WebSocketOptions
    ) async throws -> any WebSocketConnection {
      guard ["ws", "wss"].contains(url.scheme?.lowercased()), headers.areValid else {
        throw SocketError(.invalidArgument, "The URL or a header field is invalid.")
      }
      var request = URLRequest(url: url)
      request.timeoutInterval = options.connectTimeout / .seconds(1)
      for (name, value) in headers.fields { request.addValue(value, forHTTPHeaderField: name) }
      let socket = SessionWebSocket(request, options)
      try await socket.open()
      return socket
    }
  }

  /// A WebSocket of `URLSession`.
  final class SessionWebSocket: NSObject, WebSocketConnection, URLSessionWebSocketDelegate {
    private struct State {
      var opening: CheckedContinuation<Void, any Error>?
      var closing: WebSocketClosing?
      var closers: [CheckedContinuation<Void, Never>] = []
      var isReading = false
    }

    private let state = Mutex(State())
    private let session: URLSession
    private let task: URLSessionWebSocketTask

    init(_ request: URLRequest, _ options: WebSocketOptions) {
      session = URLSession(configuration: .ephemeral)
      task = session.webSocketTask(with: request)
      task.maximumMessageSize = options.maximumMessageSize
      super.init()
      task.delegate = self
    }

    func open() async throws {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          state.withLock { $0.opening = continuation }
          task.resume()
        }
      } onCancel: {
        task.cancel()
      }
    }

    var closing: WebSocketClosing? { state.withLock { $0.closing } }

    func receive() async throws -> WebSocketMessage? {
      let isFirst = state.withLock { state in
        defer { state.isReading = true }
        return !state.isReading
      }
      guard isFirst else { throw SocketError(.alreadyReading, "Another task is reading.") }
      defer { state.withLock { $0.isReading = false } }
      do {
        switch try await task.receive() {
        case .string(let text): return WebSocketMessage(text: text)
        case .data(let data): return WebSocketMessage(binary: Array(data))
        @unknown default: return nil
        }
      } catch {
        try Task.checkCancellation()
        return nil
      }
    }

    func send(_ message: WebSocketMessage) async throws {
      do {
        try await task.send(message.text.map { .string($0) } ?? .data(Data(message.bytes)))
      } catch {
        try Task.checkCancellation()
        throw SocketError(.closed, "The WebSocket is closed.")
      }
    }

    func ping() async throws {
      try await withCheckedThrowingContinuation { continuation in
        task.sendPing { error in
          continuation.resume(
            with: error == nil ? .success(()) : .failure(SocketError(.closed, "The WebSocket is closed.")))
        }
      }
    }

    func close(code: WebSocketCloseCode, reason: String) async {
      let known = URLSessionWebSocketTask.CloseCode(rawValue: Int(code.rawValue)) ?? .normalClosure
      task.cancel(with: known, reason: Data(reason.prefix(bytes: 123).utf8))
      await withCheckedContinuation { continuation in
        let isClosed = state.withLock { state in
          if state.closing == nil { state.closers.append(continuation) }
          return state.closing != nil
        }
        if isClosed { continuation.resume() }
      }
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
      let opening = state.withLock { state in
        defer { state.opening = nil }
        return state.opening
      }
      opening?.resume()
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
      let text = String(decoding: reason ?? Data(), as: UTF8.self)
      end(WebSocketClosing(code: WebSocketCloseCode(rawValue: UInt16(closeCode.rawValue)), reason: text), nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      end(WebSocketClosing(code: .abnormal), error)
      session.finishTasksAndInvalidate()
    }

    private func end(_ closing: WebSocketClosing, _ error: (any Error)?) {
      let (opening, closers) = state.withLock { state in
        if state.closing == nil { state.closing = closing }
        defer {
          state.opening = nil
          state.closers = []
        }
        return (state.opening, state.closers)
      }
      opening?.resume(throwing: failure(error))
      for closer in closers { closer.resume() }
    }

    private func failure(_ error: (any Error)?) -> any Error {
      switch (error as? URLError)?.code {
      case .cancelled: return CancellationError()
      case .timedOut: return SocketError(.timedOut, "The WebSocket was not established in time.")
      default: break
      }
      if let status = (task.response as? HTTPURLResponse)?.statusCode, status != 101 {
        return SocketError(.refused, "The server answered the upgrade with status \(status).")
      }
      return SocketError(.cannotConnect, "The WebSocket could not be established.")
    }
  }
#endif
