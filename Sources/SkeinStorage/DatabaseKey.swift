/// The secret key of an encrypted database; descriptions and mirrors do not reveal it.
public struct DatabaseKey: Sendable, Equatable {
  /// In hexadecimal digits.
  let digits: String

  /// Makes a key of 32 random bytes, which are used as they are, without a key derivation.
  ///
  /// - Throws: ``StorageError`` `misuse` for any other number of bytes.
  public init(_ bytes: some Collection<UInt8>) throws {
    guard bytes.count == 32 else { throw StorageError(.misuse, "The key of a database has 32 bytes.") }
    digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension DatabaseKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A fixed text.
  public var description: String { "(key)" }
  /// A fixed text.
  public var debugDescription: String { description }
  /// An empty mirror.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
