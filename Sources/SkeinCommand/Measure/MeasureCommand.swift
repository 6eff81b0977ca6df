import Foundation

/// `skein measure`: measures the cards of a screen, with few kinds of message and with many.
enum MeasureCommand {
  private static let messages = Option(
    name: "messages", value: "N",
    help: "The number of messages in each chat, at least 16500, default 100000.")
  private static let few = 5
  private static let many = 150
  private static let screens = 400

  static let usage = Usage(
    name: "measure",
    summary: "Measures the cards of a screen, with 5 kinds of message and with 150.",
    options: [messages],
    notes: """
      Both chats are open in this process, and their screens are made in turn, so that the
      ratio is more reliable than either time. The status is 1 if 150 kinds take at least
      half as long again as 5. Build it with -c release, as make measure does.
      """, run: run)

  private static func run(_ arguments: Arguments) async throws -> Int32 {
    let total =
      try arguments.number(messages, in: (screens + many) * CardMeasurement.screen...1_000_000) ?? 100_000
    let folder = try TemporaryFolder("skein-measure")
    defer { folder.remove() }
    var sides: [CardMeasurement] = []
    for kinds in [few, many] {
      let start = ContinuousClock.now
      let side = try await CardMeasurement(
        kinds: kinds, messages: total, in: folder.url.appending(path: "\(kinds)"))
      let time = (ContinuousClock.now - start).components.seconds
      StandardOutput.write("A list of \(side.count) messages of \(kinds) kinds, filled in \(time) s\n")
      sides.append(side)
    }
    var times: [[Duration]] = [[], []]
    // The first screens are not counted, since they create the plugins.
    for number in 0..<screens + many {
      for side in 0...1 {
        let time = try sides[side].makeScreen(number)
        if number >= many { times[side].append(time) }
      }
    }
    for side in sides { await side.close() }
    let medians = times.map { $0.sorted()[$0.count / 2] / .microseconds(1) }
    let ratio = medians[1] / medians[0]
    StandardOutput.write(
      """
      The \(CardMeasurement.screen) cards of a screen, the median of \(screens) screens:
        \(few) kinds    \(Int(medians[0])) µs
        \(many) kinds  \(Int(medians[1])) µs, \((ratio * 100).rounded() / 100) times as long

      """)
    return ratio < 1.5 ? 0 : 1
  }
}
