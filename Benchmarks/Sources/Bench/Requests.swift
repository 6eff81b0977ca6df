import CReference
import Foundation
import SkeinServer
import SkeinTransport

/// Measures requests over the transport, and compares the rates with those of libcurl in C. Each round
/// measures both, with the same server.
struct Requests {
  let bench: Workbench
  let rounds: Int

  func figures(count: Int) async throws -> [Figure] {
    let server = try await ChatServer.start(ServerOptions(folder: bench.path()))
    guard let url = URL(string: "http://127.0.0.1:\(server.port)/v1/health") else {
      throw BenchError("There is no address.")
    }
    var figures: [Figure] = []
    for (parallel, budget) in [(1, 0.6), (32, 0.8)] {
      var options = TransportOptions()
      options.maximumRequests = parallel
      let transport = SystemTransport(options)
      var (rates, references): ([Double], [Double]) = ([], [])
      for _ in 0..<rounds {
        let elapsed =
          parallel == 1
          ? curl_one(url.absoluteString, Int32(count))
          : curl_many(url.absoluteString, Int32(parallel), Int32(count))
        guard elapsed > 0 else { throw BenchError("A request of libcurl failed.") }
        references.append(Double(count) / (Double(elapsed) / 1e9))
        let duration = try await time {
          try await Self.request(url, each: count / parallel, parallel: parallel, by: transport)
        }
        rates.append(Double(count / parallel * parallel) / duration.seconds)
      }
      let reference = references.percentile(0.5)
      figures.append(
        Figure(
          "http.\(parallel)", rates, "requests/s", .higher, budget: reference * budget, reference: reference))
    }
    await server.stop()
    return figures
  }

  private static func request(
    _ url: URL, each: Int, parallel: Int, by transport: SystemTransport
  ) async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<parallel {
        group.addTask {
          for _ in 0..<each {
            guard try await transport.perform(TransportRequest("GET", url)).status == 200 else {
              throw BenchError("The server refused a request.")
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
