/// The secret key of an encrypted database; descriptions and mirrors do not reveal it.
public struct DatabaseKey: Sendable, Equatable {
  /// The key's bytes in hexadecimal digits.
  let digits: String

  /// Creates a key from 32 random bytes. The bytes are used directly, without a key derivation.
  ///
  /// - Throws: ``StorageError`` `misuse` if there are not 32 bytes.
  public init(_ bytes: some Collection<UInt8>) throws {
    guard bytes.count == 32 else { throw StorageError(.misuse, "The key of a database has 32 bytes.") }
    digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension DatabaseKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A fixed text, without the key.
  public var description: String { "(key)" }
  /// A fixed text, without the key.
  public var debugDescription: String { description }
  /// A mirror without children, so that reflection does not reveal the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
