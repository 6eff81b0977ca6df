import Foundation

/// `skein proxy`: simulates a bad network between a client and a server.
enum ProxyCommand {
  private static let server = Option(
    name: "to", value: "URL", help: "The address of the server, http only.", isRequired: true)
  private static let port = Option(
    name: "port", value: "N", help: "The port that clients connect to, default 8081; 0 chooses a free one."
  )
  private static let cut = Option(
    name: "cut", value: "PERCENT", help: "The percentage of chunks that cut their connection, default 0."
  )
  private static let delay = Option(
    name: "delay", value: "MS", help: "The longest delay of a chunk, default 0.")
  private static let down = Option(name: "down", value: nil, help: "Start with the network down.")

  static let usage = Usage(
    name: "proxy", summary: "Runs a proxy that cuts, delays or drops the connections to a server.",
    options: [server, port, cut, delay, down],
    notes: """
      Lines that can be typed:
        down      block all data
        up        pass all data again
        delay MS  delay each chunk by a random time up to this; 0 for none
        count     print the number of bytes that have passed
        quit      stop the proxy
      """, run: run)

  private static func run(_ arguments: Arguments) async throws -> Int32 {
    guard let url = try arguments.server(server), url.scheme?.lowercased() == "http", let host = url.host()
    else { throw UsageError("--to is an address such as http://127.0.0.1:8080; see skein proxy --help.") }
    var faults = FaultyProxy.Faults()
    faults.cutPercent = try arguments.number(cut, in: 0...100) ?? 0
    faults.longestDelay = try arguments.number(delay, in: 0...60_000) ?? 0
    faults.isDown = arguments.isSet(down)
    let proxy = try FaultyProxy(
      port: try arguments.number(port, in: 0...65535) ?? 8081, to: host, url.port ?? 80, faults: faults)
    StandardOutput.write("Listening on http://127.0.0.1:\(proxy.port), the server is \(url)\n")
    report(faults)
    let lines = LineReader(StandardInput.descriptor)
    while let line = await lines.next() {
      let words = line.split(separator: " ")
      switch words.first {
      case "down": faults.isDown = true
      case "up": faults.isDown = false
      case "delay" where Self.delay(words) != nil: faults.longestDelay = Self.delay(words) ?? 0
      case "count":
        let carried = proxy.carried
        StandardOutput.write("\(carried.toServer) bytes to the server, \(carried.back) back\n")
        continue
      case "quit":
        proxy.stop()
        return 0
      default:
        StandardOutput.write("down, up, delay MS, count or quit\n")
        continue
      }
      proxy.set(faults)
      report(faults)
    }
    // At the end of the input, the proxy keeps running until a signal.
    await TerminationSignals.wait()
    proxy.stop()
    return 0
  }

  private static func report(_ faults: FaultyProxy.Faults) {
    let delay =
      faults.longestDelay == 0 ? "" : ", each chunk is delayed by up to \(faults.longestDelay) ms"
    StandardOutput.write(faults.isDown ? "down: no data passes\n" : "up\(delay)\n")
  }

  private static func delay(_ words: [Substring]) -> Int? {
    guard words.count == 2, let delay = Int(words[1]), (0...60_000).contains(delay) else { return nil }
    return delay
  }
}
