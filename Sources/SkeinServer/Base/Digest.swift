import CSodium

/// Hashes by libsodium, and random bytes from the system.
enum Digest {
  /// SHA-256 of some bytes.
  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var hash = RunningSHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// The first eight bytes of the keyed BLAKE2b-128 hash of a text. The key has 16 to 64 bytes.
  static func short(_ text: String, key: String) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Int(crypto_generichash_bytes_min()))
    let text = Array(text.utf8), key = Array(key.utf8)
    crypto_generichash(&hash, hash.count, text, UInt64(text.count), key, key.count)
    return Array(hash.prefix(8))
  }

  /// Unpredictable bytes.
  static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}

/// SHA-256 of bytes that arrive in pieces.
struct RunningSHA256: Sendable {
  private var state = crypto_hash_sha256_state()

  /// Starts with no bytes.
  init() { crypto_hash_sha256_init(&state) }

  /// Adds the next bytes.
  mutating func update(_ bytes: [UInt8]) {
    crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
  }

  /// The hash of all bytes added. This instance must not be used afterwards.
  mutating func finish() -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_bytes()))
    crypto_hash_sha256_final(&state, &hash)
    return hash
  }
}
