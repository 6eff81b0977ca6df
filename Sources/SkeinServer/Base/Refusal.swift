import SkeinSockets
import SkeinStorage
import SkeinWire

/// An error that a client receives: status, code, and a sentence for people.
struct Refusal: Error {
  let status: Int
  let code: Wire.ErrorCode
  let message: String
  var headers: HTTPHeaders = [:]
  /// The stored message whose id the client tried to use for another message; nil in any other refusal.
  var stored: Wire.Message?
  /// The offset at which an upload continues, if the client sent another offset.
  var offset: Int64?

  init(
    status: Int, code: Wire.ErrorCode, message: String, headers: HTTPHeaders = [:],
    stored: Wire.Message? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.headers = headers
    self.stored = stored
  }

  /// Makes the refusal that the client receives for an error; nil for an internal failure, which the server
  /// must report.
  init?(_ error: any Error) {
    let full = Refusal(status: 507, code: .storageFull, message: "The server's disk is full.")
    let busy = Refusal(status: 503, code: .unavailable, message: "The server is busy or stopping.")
    switch error {
    case let refusal as Refusal: self = refusal
    case let error as StorageError where error.code == .full: self = full
    case let error as StorageError where error.code == .busy || error.code == .closed: self = busy
    case is CancellationError: self = busy
    case let error as SocketError where error.code == .bodyTooLarge:
      self.init(status: 413, code: .tooLarge, message: "The body is too large.")
    case is SocketError: self.init(status: 400, code: .badRequest, message: "The body isn't complete.")
    default: return nil
    }
  }

  /// Throws a 400 with this sentence unless the condition holds.
  static func require(_ condition: Bool, _ sentence: String) throws {
    guard condition else { throw Refusal(status: 400, code: .badRequest, message: sentence) }
  }
}

extension Refusal {
  static let notFound = Refusal(
    status: 404, code: .notFound, message: "There is no such conversation, file or call, or it is not yours.")
  static let unauthorized = Refusal(
    status: 401, code: .unauthorized, message: "This call needs a valid token.",
    headers: ["WWW-Authenticate": "Bearer"])
  static let wrongPassword = Refusal(
    status: 401, code: .wrongPassword, message: "User and password don't match.")
  static let badCursor = Refusal(
    status: 400, code: .badCursor, message: "This cursor isn't yours, or not this database's.")

  static func unknownUser(_ user: Wire.UserID) -> Refusal {
    Refusal(status: 404, code: .unknownUser, message: "There is no user \(user).")
  }

  static func tooLarge(_ what: String, _ limit: Int) -> Refusal {
    Refusal(status: 413, code: .tooLarge, message: "\(what) has at most \(limit) bytes.")
  }

  static func unsupportedType(_ sentence: String) -> Refusal {
    Refusal(status: 415, code: .unsupportedType, message: sentence)
  }

  static func rateLimited(milliseconds: Int64) -> Refusal {
    Refusal(
      status: 429, code: .rateLimited, message: "Too many attempts.",
      headers: ["Retry-After": String(max(1, (milliseconds + 999) / 1000))])
  }
}
