import Foundation
import Skein

/// Writes each event as one line with a JSON object, with sorted keys, for scripts. An event without an
/// ``EventRecord`` has no line.
///
/// At an `opened` line, the open chat's list is empty. Applying the following `message` and `gap` lines in
/// order, each at its `index`, gives the list.
struct JSONSurface: ChatSurface {
  mutating func text(for event: ChatEvent) -> String {
    guard let record = EventRecord(event) else { return "" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? encoder.encode(record) else { return "" }
    return JSONSurface.escaped(String(decoding: line, as: UTF8.self)) + "\n"
  }

  /// Escapes DEL and the control characters above it, which JSON leaves as they are and a terminal might
  /// execute.
  static func escaped(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: isControl) else { return json }
    return json.unicodeScalars.reduce(into: "") { text, scalar in
      text += isControl(scalar) ? "\\u00" + String(scalar.value, radix: 16) : String(scalar)
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool { (0x7F..<0xA0).contains(scalar.value) }
}
