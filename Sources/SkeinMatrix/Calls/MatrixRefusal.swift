import Foundation
import SkeinModel
import SkeinTransport

/// The cause of a ``BackendError`` for which the homeserver gave an error code.
struct MatrixRefusal: Error, Hashable, Sendable {
  /// The status of the answer.
  let status: Int
  /// The error code, such as `M_FORBIDDEN`.
  let code: String
}

extension BackendError {
  /// The error code of the homeserver; nil if this error has another cause.
  var refusal: MatrixRefusal? { cause as? MatrixRefusal }

  /// Whether the homeserver refused the request because the account is not in the room, or lacks the power.
  var isForbidden: Bool { refusal?.code == "M_FORBIDDEN" }

  /// Whether the homeserver does not have the requested item, or denies that it has it.
  var isMissing: Bool { refusal?.status == 404 || isForbidden }
}

/// The body of an answer that is not a success.
private struct RefusalBody: Decodable {
  let code: String
  /// The requested pause in milliseconds.
  let pause: Double?

  private enum CodingKeys: String, CodingKey { case code = "errcode", pause = "retry_after_ms" }
}

extension TransportAnswer {
  /// Returns the answer if its status is 200 to 299; throws the matching `BackendError` for any other status.
  func success() throws -> TransportAnswer {
    if (200...299).contains(status) { return self }
    let body = try? JSONDecoder().decode(RefusalBody.self, from: Data(body))
    let seconds = body?.pause.map { $0 / 1000 } ?? self["Retry-After"].flatMap { Double($0) }
    throw BackendError(
      status: status, code: body?.code,
      retryAfter: seconds.flatMap { $0 >= 0 ? .seconds(min($0, 86_400)) : nil })
  }
}

extension BackendError {
  /// Creates the error for an answer that is not a success. The text contains nothing of the answer but its code.
  init(status: Int, code: String?, retryAfter wait: Duration?) {
    let isPlain =
      code.map { $0.utf8.count <= 64 && $0.utf8.allSatisfy { (0x2E...0x7A).contains($0) } } ?? false
    guard let code, isPlain else {
      // Answers without a code come from a proxy, or from a server that failed.
      self.init(
        status == 429 ? .rateLimited : .transient, "The server answered with \(status).", retryAfter: wait,
        outcomeIsUnknown: status != 429)
      return
    }
    let cause = MatrixRefusal(status: status, code: code)
    let message = Self.sentence(code)
    switch (status, code) {
    case (_, "M_UNKNOWN_TOKEN"), (_, "M_MISSING_TOKEN"):
      self.init(.unauthorized, message, cause: cause)
    case (429, _), (_, "M_LIMIT_EXCEEDED"):
      self.init(.rateLimited, message, retryAfter: wait, cause: cause)
    case (400...499, _) where status != 408 && status != 425:
      self.init(.permanent, message, cause: cause)
    default:
      self.init(.transient, message, retryAfter: wait, outcomeIsUnknown: true, cause: cause)
    }
  }

  private static func sentence(_ code: String) -> String {
    switch code {
    case "M_FORBIDDEN": "The account may not do this."
    case "M_TOO_LARGE": "This is larger than the homeserver allows."
    case "M_NOT_FOUND": "The homeserver does not have this."
    case "M_LIMIT_EXCEEDED": "The homeserver requests a pause."
    case "M_UNKNOWN_TOKEN", "M_MISSING_TOKEN": "The session has ended."
    default: "The homeserver refused the request (\(code))."
    }
  }
}
