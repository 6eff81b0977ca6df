import Foundation
import Skein
import SkeinHTTP
import SkeinMatrix

/// The protocol that an account's server speaks.
enum ServerProtocol: Sendable {
  case skein
  case matrix
}

/// The session of an account, as stored in the account's folder.
enum AccountSession: Sendable {
  case skein(Session)
  case matrix(MatrixSession)

  var server: URL {
    switch self {
    case .skein(let session): session.server
    case .matrix(let session): session.homeserver
    }
  }

  var user: UserID {
    switch self {
    case .skein(let session): session.user
    case .matrix(let session): session.user
    }
  }

  /// Whether the session can't be used any more. A session with a refresh token can be renewed once there is a connection.
  var isOver: Bool {
    switch self {
    case .skein(let session):
      session.expiresAt.rawValue <= Int64(Date().timeIntervalSince1970 * 1000) && session.refreshToken == nil
    case .matrix(let session): session.token.rawValue.isEmpty && session.refreshToken == nil
    }
  }

  /// The session without its tokens.
  var forgotten: AccountSession {
    switch self {
    case .skein(var session):
      (session.token, session.refreshToken) = (AccessToken(rawValue: ""), nil)
      session.expiresAt = Timestamp(milliseconds: 0)
      return .skein(session)
    case .matrix(var session):
      (session.token, session.refreshToken) = (MatrixToken(rawValue: ""), nil)
      return .matrix(session)
    }
  }

  /// Whether the session is of the user with this name. A Matrix user may be named without the homeserver.
  func isOf(_ name: UserID) -> Bool {
    switch self {
    case .skein(let session): session.user == name
    case .matrix(let session):
      // Homeservers store names in lower case.
      session.user == name || session.user.rawValue.hasPrefix("@\(name.rawValue.lowercased()):")
    }
  }

  /// A backend of this session; `renewed` stores the session after each renewal.
  func backend(sending: HTTPOptions.Sending, renewed: @escaping @Sendable (AccountSession) throws -> Void)
    -> any ChatBackend
  {
    switch self {
    case .skein(let session):
      var options = HTTPOptions()
      options.sending = sending
      return HTTPBackend(session, options: options) { try renewed(.skein($0)) }
    case .matrix(let session): return MatrixBackend(session) { try renewed(.matrix($0)) }
    }
  }
}

extension AccountSession: Codable {
  /// Decodes a session of either protocol; their fields differ.
  init(from decoder: any Decoder) throws {
    if let session = try? MatrixSession(from: decoder) {
      self = .matrix(session)
    } else {
      self = .skein(try Session(from: decoder))
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .skein(let session): try session.encode(to: encoder)
    case .matrix(let session): try session.encode(to: encoder)
    }
  }
}
