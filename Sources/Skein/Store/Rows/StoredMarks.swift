#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The marks of a message in its row: JSON of names and times, with sorted keys; nil if there are none.
enum StoredMarks {
  static func encode(_ marks: [MessageMark: Timestamp]) -> Data? {
    guard !marks.isEmpty else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let times = Dictionary(marks.map { ($0.rawValue, $1.rawValue) }) { max($0, $1) }
    return try? encoder.encode(times)
  }

  static func decode(_ stored: Data?) -> [MessageMark: Timestamp] {
    guard let stored, let times = try? JSONDecoder().decode([String: Int64].self, from: stored) else {
      return [:]
    }
    return Dictionary(times.map { (MessageMark(rawValue: $0), Timestamp(rawValue: $1)) }) { max($0, $1) }
  }
}
