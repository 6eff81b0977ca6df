import SkeinStorage
import SkeinWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Wire.UserID {
  /// Whether an account may have this name.
  var isValid: Bool {
    (1...64).contains(rawValue.utf8.count)
      && rawValue.utf8.allSatisfy { byte in
        Hexadecimal.isLowerDigit(byte) || (UInt8(ascii: "g")...UInt8(ascii: "z")).contains(byte)
          || "._-".utf8.contains(byte)
      }
  }
}

/// An account.
struct StoredUser: Mapped {
  let user: Wire.UserID
  let name: String
  let passwordHash: String
  let created: Int64

  static let table = Table(
    "user", key: ["user"], clusteredBy: ["user"], Self.init,
    Column("user", \.user), Column("name", \.name), Column("password_hash", \.passwordHash),
    Column("created", \.created))
}

/// The SHA-256 of a token: who reads the database can't sign in with it.
struct SessionID: RawRepresentable, ColumnValue, Hashable {
  let rawValue: Data

  init(rawValue: Data) { self.rawValue = rawValue }

  /// The session that a token belongs to.
  init(token: String) { rawValue = Data(Digest.sha256(Array(token.utf8))) }
}

/// A device that is signed in.
struct StoredSession: Mapped {
  let id: SessionID
  let user: Wire.UserID
  let device: String?
  let created: Int64
  /// When its token stops being good.
  let expires: Int64
  /// The token that gets another one; nil in sessions of before there were any.
  let refresh: SessionID?
  /// When that stops being good as well.
  let ends: Int64

  static let table = Table(
    "session", key: ["id"], clusteredBy: ["id"],
    indexes: [Index(["expires"]), Index(["refresh"])], Self.init,
    Column("id", \.id), Column("user", \.user), Column("device", \.device), Column("created", \.created),
    Column("expires", \.expires), Column("refresh", \.refresh), Column("ends", \.ends))
}
