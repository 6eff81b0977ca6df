import Foundation

/// A `skein proxy` process in front of the demo's server.
actor DemoProxy {
  /// The address for clients.
  nonisolated let address: String
  private let process: DemoProcess

  /// Starts the proxy on a free port.
  init(to server: String, errors: FileHandle) async throws {
    process = try DemoProcess(["proxy", "--to", server, "--port", "0"], errors: errors)
    let line = await process.output.next()
    guard
      let url = line?.split(whereSeparator: { " ,".contains($0) }).first(where: { $0.hasPrefix("http://") })
    else { throw DemoFailure("the proxy did not start") }
    address = String(url)
    _ = await process.output.next()
  }

  /// Types a line.
  ///
  /// - Returns: The answer.
  @discardableResult
  func tell(_ line: String) async throws -> String {
    await process.type([line])
    guard let answer = await process.output.next() else { throw DemoFailure("the proxy is gone") }
    return answer
  }

  /// The number of bytes that have passed to the server so far.
  func carried() async throws -> Int {
    let answer = try await tell("count")
    guard let count = answer.split(separator: " ").first.flatMap({ Int($0) }) else {
      throw DemoFailure("the proxy returned no count: \(answer)")
    }
    return count
  }

  func destroy() async { await process.destroy() }
}
