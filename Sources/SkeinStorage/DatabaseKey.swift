/// The key of a database that is encrypted on the disk; a secret, which no description gives away.
public struct DatabaseKey: Sendable, Equatable {
  /// In hexadecimal digits.
  let digits: String

  /// Takes the key itself, 32 random bytes, as an app keeps them in the system's keychain; nothing is derived from it.
  ///
  /// - Throws: ``StorageError`` with `misuse` for any other number of bytes.
  public init(_ bytes: some Collection<UInt8>) throws {
    guard bytes.count == 32 else { throw StorageError(.misuse, "The key of a database has 32 bytes.") }
    digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension DatabaseKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// That it is a key, and nothing of it.
  public var description: String { "(key)" }
  /// That it is a key, and nothing of it.
  public var debugDescription: String { description }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
