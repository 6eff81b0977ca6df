import CReference
import Foundation
import Skein

/// Sending to a server that answers at once.
struct Sending {
  let bench: Workbench
  let rounds: Int

  func figures(_ lengths: [Int]) async throws -> [Figure] {
    let commits = try referenceCommits(500)
    var figures = [Figure("disk.commit", [commits.percentile(0.5)], "ms")]
    for length in lengths {
      var rates: [Double] = []
      var composing: [Double] = []
      for _ in 0..<rounds {
        let (seconds, times) = try await drain(length)
        rates.append(Double(length) / seconds)
        composing += times.suffix(200)
      }
      // The reference writes each message once, with one synchronized commit.
      figures.append(
        Figure(
          "lane.drain.\(length)", rates, "messages/s", .higher, budget: 3000,
          reference: 1000 / commits.percentile(0.5)))
      figures.append(
        Figure(
          "send.returns.p50.\(length)", [composing.percentile(0.5)], "ms",
          budget: commits.percentile(0.5) + 0.2, reference: commits.percentile(0.5)))
      figures.append(Figure("send.returns.p95.\(length)", [composing.percentile(0.95)], "ms"))
    }
    return figures
  }

  /// Composes texts before the client is started, and measures how fast the lane empties after the start.
  private func drain(_ length: Int) async throws -> (seconds: Double, composing: [Double]) {
    let backend = InstantBackend()
    let client = try await bench.client(backend)
    let chat = try await client.open(.direct("bob"))
    var composing: [Double] = []
    var last: SentMessage?
    for number in 0..<length {
      let elapsed = try await time {
        last = try await client.send(TextContent("message \(number)"), to: chat)
      }
      composing.append(elapsed.milliseconds)
    }
    let seconds = try await time {
      client.start()
      _ = try await last?.result
    }.seconds
    guard backend.received == length else {
      throw BenchError("\(backend.received) of \(length) messages arrived.")
    }
    await client.close()
    return (seconds, composing)
  }

  /// The milliseconds of commits in C, each synchronized with the disk.
  private func referenceCommits(_ count: Int) throws -> [Double] {
    var times = [Int64](repeating: 0, count: count)
    guard reference_commits(bench.path().path, Int32(count), &times) == 0 else {
      throw BenchError("The reference database can't be written.")
    }
    return times.map { Double($0) / 1e6 }
  }
}
