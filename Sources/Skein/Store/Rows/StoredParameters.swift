#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Parameters as they are stored: JSON with sorted keys, nothing where there are none.
enum StoredParameters {
  static func encode(_ parameters: [String: String]) -> Data? {
    if parameters.isEmpty { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts by texts: there is nothing in them that JSON can't hold.
    return try? encoder.encode(parameters)
  }

  static func decode(_ stored: Data?) -> [String: String] {
    stored.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
  }
}
