#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The stored form of a message's flags: JSON with the time of each flag, in the order of the names; nil if
/// there are no flags.
enum StoredFlags {
  static func encode(_ flags: [MessageFlag: Timestamp]) -> Data? {
    guard !flags.isEmpty else { return nil }
    let times = Dictionary(flags.map { ($0.rawValue, $1.rawValue) }) { max($0, $1) }
    return try? StoredJSON.encode(times)
  }

  static func decode(_ stored: Data?) -> [MessageFlag: Timestamp] {
    guard let stored, let times = try? JSONDecoder().decode([String: Int64].self, from: stored) else {
      return [:]
    }
    return Dictionary(times.map { (MessageFlag(rawValue: $0), Timestamp(rawValue: $1)) }) { max($0, $1) }
  }
}
