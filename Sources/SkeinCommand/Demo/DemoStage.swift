import Foundation
import SkeinTerminal

/// Writes the demo's report: actions, messages on screens, progress and checks.
actor DemoStage {
  private let style = Style(isOn: StandardOutput.takesColor)
  private let isTerminal = StandardOutput.isTerminal
  private let start = ContinuousClock.now
  private var lastProgress = ContinuousClock.now
  private var isShowingProgress = false

  /// Seconds since the demo began, with one decimal.
  var elapsed: String { DemoStage.seconds(start.duration(to: .now)) }

  /// A duration in seconds with one decimal.
  static func seconds(_ duration: Duration) -> String {
    let tenths = duration.components.seconds * 10 + duration.components.attoseconds / 100_000_000_000_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// A number with a comma before each group of three digits.
  static func grouped(_ number: Int) -> String {
    number < 1000 ? "\(number)" : "\(grouped(number / 1000)),\(String(1000 + number % 1000).dropFirst())"
  }

  func title(_ text: String, _ subtitle: String) {
    write("\n\(style.bold(text))\n\(style.dim(subtitle))\n")
  }

  /// Writes the heading of an act.
  func act(_ number: Int, _ text: String) {
    write("\n\(style.bold("\(number)  \(text)"))\n")
  }

  /// Writes a message as a screen shows it.
  func says(on screen: String, _ text: String, mark: String = "") {
    let shown = SafeText.line(text).padded(to: 54)
    write("\(gutter(screen))\(mark.isEmpty ? SafeText.line(text) : shown + "  " + style.green(mark))\n")
  }

  /// Writes an unsent message with the reason why it waits.
  func waits(on screen: String, _ text: String, _ note: String) {
    write(
      "\(gutter(screen))\(SafeText.line(text).padded(to: 54))  \(style.dim("◷ \(SafeText.line(note))"))\n")
  }

  /// Writes an event of an actor.
  func tells(of actor: String, _ text: String) {
    write("\(gutter(actor))\(style.dim(text))\n")
  }

  /// Writes a fault that the demo causes, or the end of a fault.
  func breaks(_ actor: String, _ text: String) {
    write("\(gutter(actor))\(style.yellow(text))\n")
  }

  /// Writes why a check has failed.
  func fails(_ text: String) {
    write("\(gutter("demo"))\(style.red("✗ \(SafeText.line(text))"))\n")
  }

  /// Writes the last lines of the processes' standard error.
  func errors(_ text: String) {
    for line in SafeText.lines(text).suffix(20) where !line.isEmpty { write("  \(style.dim(line))\n") }
  }

  /// Writes the progress of a long step: one changing line on a terminal, a line every few seconds elsewhere.
  func progress(of actor: String, _ text: String) {
    let now = ContinuousClock.now
    guard lastProgress.duration(to: now) > (isTerminal ? .milliseconds(50) : .seconds(3)) else { return }
    lastProgress = now
    if isTerminal {
      StandardOutput.write("\r\u{1B}[2K\(gutter(actor))\(style.dim(text))")
      isShowingProgress = true
    } else {
      write("\(gutter(actor))\(text)\n")
    }
  }

  /// Writes the checks in columns, and the number of checks that held.
  func table(_ checks: [DemoCheck]) {
    write("\n\(style.bold("Checks"))\n")
    let width = checks.map(\.title.columns).max() ?? 0
    for check in checks {
      let mark = check.holds ? style.green("✓") : style.red("✗")
      let facts = check.facts.flatMap { $0.wrapped(to: 100) }
      for (index, fact) in facts.enumerated() {
        let left =
          index == 0
          ? "\(mark) \(check.number)  \(check.title.padded(to: width))"
          : String(repeating: " ", count: width + 5)
        write("  \(left)  \(check.holds ? fact : style.red(fact))\n")
      }
    }
    let held = checks.count { $0.holds }
    let sum = "\(held) of \(checks.count) checks held, in \(elapsed) s."
    write("\n\(held == checks.count ? style.green(sum) : style.red(sum))\n")
  }

  func stopped() { write("\nStopped; everything is cleaned up.\n") }

  private func write(_ text: String) {
    if isShowingProgress { StandardOutput.write("\r\u{1B}[2K") }
    isShowingProgress = false
    StandardOutput.write(text)
  }

  private func gutter(_ actor: String) -> String {
    let name = actor.indented(to: 8)
    let colored =
      switch actor {
      case "alice": style.cyan(name)
      case "bob": style.magenta(name)
      case "server": style.blue(name)
      default: style.dim(name)
      }
    return "\(colored) \(style.dim("│")) "
  }
}

/// A check of the demo.
struct DemoCheck: Sendable {
  let number: Int
  let title: String
  let holds: Bool
  /// The results of the check. Each result begins a new line of the report. If an error ended the check, the
  /// error's text is the only result.
  let facts: [String]
}
