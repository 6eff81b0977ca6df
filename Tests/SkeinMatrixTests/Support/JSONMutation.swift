@testable import SkeinMatrix

/// Random numbers that follow from a seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
    return bits ^ bits >> 31
  }
}

/// Changes JSON by rules: values get other types, fields are dropped, copied and renamed, numbers and texts become
/// extreme, and values are nested deep.
struct JSONMutation {
  private var random: SeededGenerator
  /// The chance of a change at each value.
  private let rate: Double

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    rate = [0.005, 0.02, 0.1, 0.3].randomElement(using: &random) ?? 0.1
  }

  /// The bytes of a changed copy; a part of the copies is damaged further, as bytes.
  mutating func bytes(of value: JSONValue) -> [UInt8] {
    let copy = mutated(value)
    var bytes = (try? copy.encoded()).map(Array.init) ?? []
    guard !bytes.isEmpty else { return bytes }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
    case 1:
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
    case 2:
      // Numbers and escapes that the encoder never writes.
      let odd = ["1e999", "-0", #""\ud800""#, "1.0", "99999999999999999999", "tru", "{\"a\":1,\"a\":2}"]
      var text = String(decoding: bytes, as: UTF8.self)
      if let place = text.indices.filter({ text[$0] == ":" }).randomElement(using: &random) {
        text.insert(
          contentsOf: (odd.randomElement(using: &random) ?? "") + ",\"rest\":", at: text.index(after: place))
      }
      bytes = Array(text.utf8)
    default: break
    }
    return bytes
  }

  private mutating func mutated(_ value: JSONValue) -> JSONValue {
    if Double.random(in: 0..<1, using: &random) < rate { return replacement(of: value) }
    switch value {
    case .array(let elements):
      var copy = elements.map { mutated($0) }
      if happens(), let element = copy.randomElement(using: &random) { copy.append(element) }
      if happens() { copy.shuffle(using: &random) }
      return .array(copy)
    case .object(let fields):
      var copy: [String: JSONValue] = [:]
      for (key, value) in fields.sorted(by: { $0.key < $1.key }) where !happens() {
        copy[happens() ? text() : key] = mutated(value)
      }
      return .object(copy)
    default: return value
    }
  }

  private mutating func happens() -> Bool { Double.random(in: 0..<1, using: &random) < rate / 4 }

  private mutating func replacement(of value: JSONValue) -> JSONValue {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .integer([0, -1, .max, .min, 1 << 53, 1].randomElement(using: &random) ?? 0)
    case 3: return .number([1.5, -1e300, 1e19, 1e-300].randomElement(using: &random) ?? 0)
    case 4: return .string(text())
    case 5: return .array([value, value])
    case 6: return .object([text(): value])
    case 7:
      return (0..<Int.random(in: 1...400, using: &random)).reduce(value) { nested, _ in .array([nested]) }
    default: return .string(value.string.map { String($0.reversed()) } ?? "")
    }
  }

  private mutating func text() -> String {
    let texts = [
      "", " ", "\0", "\u{FEFF}", "\u{202E}e\u{301}", "👩‍👩‍👧‍👦", "$4", "$6", "$9", "!room:example.org",
      "!other:example.org",
      "@alice:example.org", "s0", "s9999", "-1", "../..", "m.room.message", "m.replace", "m.annotation",
      "join",
      "m.room.redaction", String(repeating: "a", count: 70_000), String(repeating: "é", count: 128),
    ]
    return texts.randomElement(using: &random) ?? ""
  }
}
