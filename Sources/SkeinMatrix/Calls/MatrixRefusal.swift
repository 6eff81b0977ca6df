import SkeinModel
import SkeinTransport

/// The cause of a ``BackendError`` for which the homeserver gave an error code.
struct MatrixRefusal: Error, Hashable, Sendable {
  /// The method and the path of the call, as in `GET v3/sync`.
  let call: String
  /// The status of the answer.
  let status: Int
  /// The error code, such as `M_FORBIDDEN`.
  let code: String
  /// The homeserver's explanation, in a language of its choice.
  var sentence: String?
}

extension BackendError {
  /// Creates the error for a refusal. The text of the error ends with the homeserver's explanation.
  init(_ refusal: MatrixRefusal, retryAfter wait: Duration? = nil) {
    let message = refusal.summary + (refusal.sentence.map { " The homeserver says: \($0)" } ?? "")
    switch (refusal.status, refusal.code) {
    case (_, "M_UNKNOWN_TOKEN"), (_, "M_MISSING_TOKEN"):
      self.init(.unauthorized, message, cause: refusal)
    case (429, _), (_, "M_LIMIT_EXCEEDED"), (_, "M_USER_LOCKED"):
      self.init(.rateLimited, message, retryAfter: wait, cause: refusal)
    case (400...499, _) where refusal.status != 408 && refusal.status != 425:
      self.init(.permanent, message, cause: refusal)
    default:
      self.init(.transient, message, retryAfter: wait, outcomeIsUnknown: true, cause: refusal)
    }
  }

  /// The error code of the homeserver; nil if this error has another cause.
  var refusal: MatrixRefusal? { cause as? MatrixRefusal }

  /// The same error with another message.
  func described(_ message: String) -> BackendError {
    BackendError(code, message, retryAfter: retryAfter, outcomeIsUnknown: outcomeIsUnknown, cause: cause)
  }

  /// The same error for a request that certainly had no effect. If the connection broke, the homeserver was reached: the
  /// call may be what breaks it.
  var withoutEffect: BackendError {
    let isBroken = code == .unreachable && outcomeIsUnknown
    return BackendError(isBroken ? .transient : code, message, retryAfter: retryAfter, cause: cause)
  }

  /// Whether the homeserver refused the request because the account is not in the room, or lacks the power.
  var isForbidden: Bool { refusal?.code == "M_FORBIDDEN" }

  /// Whether the homeserver does not have the requested item.
  var isNotFound: Bool { refusal?.code == "M_NOT_FOUND" }

  /// Whether the homeserver does not have the requested item, or denies that it has it.
  var isMissing: Bool { refusal?.status == 404 || isForbidden }

  /// Whether the homeserver would refuse a repetition of the request as well.
  var isPermanent: Bool { code == .permanent }
}

/// Makes a call; returns nil if the call returns nil or fails with an error of a kind.
///
/// ```swift
/// let event = try await optional(\.isMissing) { try await calls.get(path) }
/// ```
func optional<Value>(
  _ isExpected: (BackendError) -> Bool, _ call: () async throws -> Value?
) async throws -> Value? {
  do {
    return try await call()
  } catch let error as BackendError where isExpected(error) {
    return nil
  }
}

extension TransportAnswer {
  /// Throws the matching `BackendError` unless the status is 200 to 299.
  ///
  /// - Parameter token: the token of the request, which no error reveals.
  func checkSuccess(of call: String, without token: MatrixToken?) throws {
    if (200...299).contains(status) { return }
    let body = (try? MatrixAnswer(body, to: call))?.json ?? [:]
    let seconds =
      body["retry_after_ms"]?.double.map { $0 / 1000 } ?? self["Retry-After"].flatMap { Double($0) }
    let wait = seconds.flatMap { $0 >= 0 ? Duration.seconds(min($0, 86_400)) : nil }
    let code = body["errcode"]?.string
    guard let code, code.utf8.count <= 64, code.utf8.allSatisfy({ (0x2E...0x7A).contains($0) }) else {
      // Answers without a code come from a proxy, or from a server that failed.
      if status == 413 || status == 414 {
        throw BackendError(.permanent, "\(call): This is larger than the homeserver's proxy allows.")
      }
      throw BackendError(
        status == 429 ? .rateLimited : .transient, "The answer to \(call) has the status \(status).",
        retryAfter: wait, outcomeIsUnknown: status != 429)
    }
    let sentence = body["error"]?.string?.sentence(without: token)
    throw BackendError(
      MatrixRefusal(call: call, status: status, code: code, sentence: sentence), retryAfter: wait)
  }
}

extension String {
  /// One line of at most 200 characters; nil if the text is empty or contains a secret.
  fileprivate func sentence(without token: MatrixToken?) -> String? {
    if let token, contains(token.rawValue) { return nil }
    let words = split {
      $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    return words.isEmpty ? nil : String(words.joined(separator: " ").prefix(200))
  }
}

extension MatrixRefusal {
  fileprivate var summary: String {
    switch code {
    case "M_FORBIDDEN": "The account may not do this."
    case "M_TOO_LARGE": "This is larger than the homeserver allows."
    case "M_NOT_FOUND": "The homeserver does not have this."
    case "M_LIMIT_EXCEEDED": "The homeserver requests a pause."
    case "M_UNKNOWN_TOKEN", "M_MISSING_TOKEN": "The session has ended."
    default: "The homeserver refused \(call): \(code)."
    }
  }
}
