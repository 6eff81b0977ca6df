import Foundation
import SkeinModel
import SkeinTransport
import Testing

@Suite("Cancellation in the transport")
struct CancellationTests {
  @Test("A cancelled call ends in CancellationError, and its connection is closed")
  func silence() async throws {
    let asked = Notes()
    let closed = Notes()
    let server = try TCPServer { connection in
      _ = connection.head()
      asked.add("asked")
      connection.untilClosed()
      closed.add("closed")
    }
    let transport = SystemTransport(.patient)
    let url = try server.url()
    let call = Task { try await transport.perform(TransportRequest(url: url)) }
    await asked.wait(for: 1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    await closed.wait(for: 1)
  }

  @Test("A call of a cancelled task sends nothing")
  func before() async throws {
    let server = try TCPServer { $0.untilClosed() }
    let url = try server.url()
    let transport = SystemTransport(.patient)
    let call = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await transport.perform(TransportRequest(url: url))
    }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(server.connections == 0)
  }

  @Test("Other calls over the same transport are not affected by a cancelled one")
  func others() async throws {
    let asked = Notes()
    let gate = Notes()
    let server = try TCPServer { connection in
      while let head = connection.head() {
        guard head.hasPrefix("GET /wait") else { connection.answer("x"); continue }
        asked.add("asked")
        let isLast = DispatchSemaphore(value: 0)
        Task {
          await gate.wait(for: 1)
          isLast.signal()
        }
        isLast.wait()
        connection.answer("late")
      }
    }
    let transport = SystemTransport(.patient)
    let url = try server.url("wait")
    let calls = (0..<3).map { _ in Task { try await transport.perform(TransportRequest(url: url)).body } }
    await asked.wait(for: 3)
    calls[1].cancel()
    await #expect(throws: CancellationError.self) { try await calls[1].value }
    #expect(try await transport.perform(TransportRequest(url: server.url())).body == Array("x".utf8))
    gate.add("open")
    for call in [calls[0], calls[2]] { #expect(try await call.value == Array("late".utf8)) }
  }

  /// The number of requests; a tenth of them is cancelled.
  private static let count =
    ProcessInfo.processInfo.environment["SKEIN_CANCELLATIONS"].flatMap { Int($0) } ?? 2000

  @Test(
    "Every request ends with its answer, or in CancellationError if it is cancelled at a random moment"
  )
  func random() async throws {
    let ends = Notes()
    let server = try TCPServer { connection in
      while let head = connection.head(), let call = RandomCall(head: head) {
        guard connection.read(call.uploaded) == call.uploaded, connection.answer(call.body) else { break }
      }
      ends.add("end")
    }
    let (started, cancelled) = (Counter(), Counter())
    try await withFolder { folder in
      let transport = SystemTransport(.patient)
      let url = try server.url()
      try await withThrowingTaskGroup { group in
        for _ in 0..<16 {
          group.addTask { () async throws in
            while case let number = started.next(), number <= Self.count {
              let call = RandomCall(number: number)
              if try await !call.isAnswered(by: transport, at: url, in: folder, isCancelled: number % 10 == 0)
              {
                _ = cancelled.next()
              }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
    await ends.wait(for: server.connections)
    #expect(cancelled.next() > 1)
  }
}

/// A call of one of three kinds: with a short answer, with a long body, or with a long answer that goes into
/// a file.
private struct RandomCall {
  let number: Int

  init(number: Int) { self.number = number }

  init?(head: String) {
    let field = head.split(separator: "\r\n").first { $0.hasPrefix("X-Number: ") }
    guard let number = field.flatMap({ Int($0.dropFirst(10)) }) else { return nil }
    self.number = number
  }

  var uploaded: Int { number / 10 % 3 == 1 ? 100_000 : 0 }

  private var isDownload: Bool { number / 10 % 3 == 2 }

  var body: String { String(repeating: "\(number) ", count: isDownload ? 30_000 : 1) }

  /// Makes the call and, if `isCancelled`, cancels it at a random moment.
  ///
  /// - Returns: false if the call ended in `CancellationError`.
  func isAnswered(
    by transport: SystemTransport, at url: URL, in folder: URL, isCancelled: Bool
  ) async throws -> Bool {
    let task = Task { try await perform(by: transport, at: url, in: folder) }
    if isCancelled {
      for _ in 0..<Int.random(in: 0..<200) { await Task.yield() }
      task.cancel()
    }
    switch await task.result {
    case .success(let answer): #expect(answer == body)
    case .failure(let error):
      guard isCancelled, error is CancellationError else { throw error }
      return false
    }
    return true
  }

  private func perform(by transport: SystemTransport, at url: URL, in folder: URL) async throws -> String {
    var request = TransportRequest(uploaded > 0 ? "POST" : "GET", url, headers: [("X-Number", "\(number)")])
    if uploaded > 0 { request.body = .bytes(Array(repeating: 7, count: uploaded)) }
    guard isDownload else {
      return String(decoding: try await transport.perform(request).body, as: UTF8.self)
    }
    let file = folder.appending(path: "\(number)")
    let sink = try FileSink(target: file, name: "-", size: Int64(body.utf8.count))
    do {
      _ = try await transport.perform(request, into: sink)
      try await sink.finish()
    } catch {
      sink.abandon(after: error)
      throw error
    }
    defer { try? FileManager.default.removeItem(at: file) }
    return try String(contentsOf: file, encoding: .utf8)
  }
}
