import Dispatch
import Foundation
import SkeinTerminal

/// A terminal: events scroll above the line that is being typed.
actor TerminalOutput: ChatOutput {
  nonisolated let isRead = true
  private var surface: TerminalSurface
  private var editor = LineEditor()
  private let style: Style
  private let queue = DispatchQueue(label: "skein.keys")
  private var lines: [String] = []
  /// Whether Ctrl-D was pressed. The lines typed before Ctrl-D are still delivered.
  private var hasEnded = false

  init() {
    let size = StandardOutput.size
    style = Style(isOn: StandardOutput.takesColor)
    surface = TerminalSurface(width: size.columns, height: size.rows, style: style)
    TerminalSettings.deliverKeys()
  }

  /// Restores the terminal's settings.
  func end() {
    TerminalSettings.restore()
    StandardOutput.write("\r\u{1B}[2K")
  }

  func show(_ events: [ChatEvent]) {
    let size = StandardOutput.size
    surface.resize(width: size.columns, height: size.rows)
    let text = events.map { surface.text(for: $0) }.joined()
    if !text.isEmpty { draw(text) }
  }

  /// The next typed line; nil at the end of the input.
  func next() async -> String? {
    draw("")
    while lines.isEmpty {
      if hasEnded { return nil }
      let bytes = await keys()
      guard !bytes.isEmpty else { return nil }
      for step in editor.enter(bytes) {
        switch step {
        case .line(let line): if !hasEnded { lines.append(line) }
        case .end: hasEnded = true
        }
      }
      draw("")
    }
    return lines.removeFirst()
  }

  /// Writes a text above the prompt, and draws the prompt again. If the typed line is too long, only its end
  /// is shown.
  private func draw(_ text: String) {
    let width = max(StandardOutput.size.columns - 4, 8)
    // Harmless text may be wider than the typed text, so it is shortened again.
    let typed = SafeText.line(editor.text.ending(in: width)).ending(in: width)
    StandardOutput.write("\r\u{1B}[2K\(text)\(style.dim("›")) \(typed)")
  }

  private func keys() async -> [UInt8] {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: LineReader.read(STDIN_FILENO)) }
    }
  }
}
