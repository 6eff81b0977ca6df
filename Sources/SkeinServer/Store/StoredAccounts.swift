import SkeinStorage
import SkeinWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Wire.UserID {
  /// Whether an account may have this id. In the path of a URL, `.` and `..` are no names.
  var isValid: Bool {
    (1...64).contains(rawValue.utf8.count) && rawValue != "." && rawValue != ".."
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

/// The SHA-256 of a token, so that a copy of the database reveals no usable token.
struct SessionID: RawRepresentable, ColumnValue, Hashable {
  let rawValue: Data

  init(rawValue: Data) { self.rawValue = rawValue }

  /// Hashes a token.
  init(token: String) { rawValue = Data(Digest.sha256(Array(token.utf8))) }
}

/// A token of a signed-in device. Each renewal of the session stores a further token.
struct StoredSession: Mapped {
  let id: SessionID
  let user: Wire.UserID
  let device: String?
  let created: Int64
  /// When the token expires.
  let expires: Int64
  /// The hash of the refresh token; nil in sessions older than the fifth version of the database.
  let refresh: SessionID?
  /// The time from which the session can no longer be renewed.
  let ends: Int64

  static let table = Table(
    "session", key: ["id"], clusteredBy: ["id"],
    indexes: [Index(["expires"]), Index(["refresh"])], Self.init,
    Column("id", \.id), Column("user", \.user), Column("device", \.device), Column("created", \.created),
    Column("expires", \.expires), Column("refresh", \.refresh), Column("ends", \.ends))
}
