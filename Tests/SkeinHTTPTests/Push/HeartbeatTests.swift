import Skein
import SkeinSockets
import Synchronization
import Testing

@testable import SkeinHTTP

@Suite("Heartbeat")
struct HeartbeatTests {
  /// Answers a number of pings, then none.
  private final class Peer: WebSocketConnection {
    private let answers: Mutex<Int>
    private let log: Log
    init(answering count: Int, _ log: Log) {
      answers = Mutex(count)
      self.log = log
    }
    func ping() async throws {
      let isAnswered = answers.withLock { left in
        defer { left -= 1 }
        return left > 0
      }
      log.add("ping")
      if !isAnswered {
        log.fallSilent()
        await Gate().wait()
        try Task.checkCancellation()
      }
      log.add("pong")
    }
    func receive() async throws -> WebSocketMessage? { nil }
    func send(_ message: WebSocketMessage) async throws {}
    func close(code: WebSocketCloseCode, reason: String) async {}
    var closing: WebSocketClosing? { nil }
  }

  /// The events in order. Sleeps between pings return at once; deadlines end only when the peer is silent.
  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    private let silence = Gate()
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    func fallSilent() { silence.open() }
    var all: [String] { entries.withLock { $0 } }

    func sleep(_ duration: Duration) async throws {
      if duration == .seconds(20) { return add("20 s") }
      await silence.wait()
      try Task.checkCancellation()
      add("10 s")
    }
  }

  @Test("A ping is sent every 20 seconds, and the channel ends if no pong follows within 10 seconds")
  func transcript() async throws {
    let log = Log()
    var options = HTTPOptions()
    options.sleep = { try await log.sleep($0) }
    let heartbeat = Heartbeat(options)
    let error = await backendError { try await heartbeat.watch(Peer(answering: 2, log)) }
    #expect(error?.code == .unreachable)
    #expect(log.all == ["20 s", "ping", "pong", "20 s", "ping", "pong", "20 s", "ping", "10 s"])
  }
}
