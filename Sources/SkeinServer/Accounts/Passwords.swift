import CSodium
import Synchronization

/// Argon2id hashes of passwords, computed one at a time, since each hash costs memory and time by design.
///
/// 1. A check takes as long for an unknown user as for a user whose hash has the current cost.
/// 2. At most `mostWaiting` passwords are waiting or being hashed. Further passwords are refused, so that a flood of
///    sign-ins does not fill the memory.
final class Passwords: Sendable {
  private let cost: PasswordCost
  private let queue = BlockingQueue("skein.passwords")
  private let waiting = Mutex(0)
  private let mostWaiting: Int
  /// The hash that passwords of unknown users are checked against.
  private let decoy: String

  /// Hashes passwords at this cost.
  init(cost: PasswordCost, mostWaiting: Int = 256) async throws {
    self.cost = cost
    self.mostWaiting = mostWaiting
    decoy = try await queue.run { try Self.hash(Hexadecimal.text(Digest.random(16)), cost) }
  }

  /// Returns a hash to store, which includes salt and cost.
  func hash(_ password: String) async throws -> String {
    try await queued { [cost] in try Self.hash(password, cost) }
  }

  /// Returns whether the password matches the hash. If the hash is nil, checks a decoy and returns false.
  func matches(_ password: String, _ hash: String?) async throws -> Bool {
    let known = hash != nil
    return try await queued { [hash = hash ?? decoy] in
      crypto_pwhash_str_verify(hash, password, UInt64(password.utf8.count)) == 0 && known
    }
  }

  private func queued<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let free = waiting.withLock { count in
      guard count < mostWaiting else { return false }
      count += 1
      return true
    }
    guard free else { throw Refusal.rateLimited(milliseconds: 1000) }
    defer { waiting.withLock { $0 -= 1 } }
    return try await queue.run(work)
  }

  private static func hash(_ password: String, _ cost: PasswordCost) throws -> String {
    var hash = [CChar](repeating: 0, count: Int(crypto_pwhash_strbytes()))
    let length = UInt64(password.utf8.count)
    guard crypto_pwhash_str(&hash, password, length, cost.operations, cost.memory) == 0 else {
      throw PasswordError()
    }
    return String(decoding: hash.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// There was not enough memory to hash a password.
struct PasswordError: Error {}
