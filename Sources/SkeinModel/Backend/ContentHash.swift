#if canImport(CryptoKit)
  import CryptoKit
#else
  import CSodium
#endif

/// Computes the SHA-256 hash of bytes that arrive in pieces.
package struct ContentHash {
  #if canImport(CryptoKit)
    private var state = SHA256()

    package init() {}

    package mutating func update(_ bytes: [UInt8]) { state.update(data: bytes) }

    private mutating func digest() -> [UInt8] { Array(state.finalize()) }
  #else
    private var state = crypto_hash_sha256_state()

    package init() { crypto_hash_sha256_init(&state) }

    package mutating func update(_ bytes: [UInt8]) {
      crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
    }

    private mutating func digest() -> [UInt8] {
      var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_bytes()))
      crypto_hash_sha256_final(&state, &hash)
      return hash
    }
  #endif

  /// Returns the hash of some bytes, in the form of ``finish()``.
  package static func hash(of bytes: some Sequence<UInt8>) -> String {
    var hash = ContentHash()
    hash.update(Array(bytes))
    return hash.finish()
  }

  /// Returns the hash of all bytes, in lower-case hexadecimal digits. This hasher can't be used afterwards.
  package mutating func finish() -> String {
    digest().map { byte in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0\(digits)" : digits
    }.joined()
  }
}
