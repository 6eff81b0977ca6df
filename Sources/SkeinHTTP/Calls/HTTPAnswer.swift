import Foundation
import SkeinModel
import SkeinTransport
import SkeinWire

extension TransportAnswer {
  /// Returns the answer if its status is 200 to 299; throws the matching `BackendError` for any other status.
  func success() throws -> TransportAnswer {
    if (200...299).contains(status) { return self }
    throw BackendError(
      status: status, try? Wire.decode(Wire.ErrorResponse.self, from: body),
      retryAfter: RetryAfter.duration(self["Retry-After"], date: self["Date"]))
  }
}

extension BackendError {
  /// Creates the error for an answer that is not a success.
  init(status: Int, _ response: Wire.ErrorResponse?, retryAfter wait: Duration?) {
    let message =
      response.map { String($0.error.message.prefix(300)) } ?? "The server answered with \(status)."
    switch status {
    case 400 where response?.error.code == .badCursor: self.init(.cursorRejected, message)
    // A proxy can answer 401 too. Only the server can end the session.
    case 401 where response != nil: self.init(.unauthorized, message)
    case 409 where response?.error.code == .idInUse:
      self.init(.idInUse, message, stored: response?.message.map(IncomingMessage.init))
    case 409 where response?.error.code == .outOfOrder: self.init(.outOfOrder, message)
    case 409 where response?.error.code == .userExists: self.init(.userExists, message)
    case 425: self.init(.transient, message, retryAfter: wait)
    case 429: self.init(.rateLimited, message, retryAfter: wait)
    case 400...499 where status != 408 && response != nil: self.init(.permanent, message)
    // Timeouts, failures of the server, and answers that do not conform to the protocol, as from a proxy.
    default: self.init(.transient, message, retryAfter: wait, outcomeIsUnknown: true)
    }
  }
}

/// The wait that a `Retry-After` header requests.
enum RetryAfter {
  /// Parses a number of seconds, or a date; returns at most a day. Returns nil for any other text.
  ///
  /// - Parameter date: the answer's `Date` header. If `text` is a date, the wait is counted from this header,
  ///   or from the device's time if the header is missing or malformed.
  static func duration(_ text: String?, date: String?) -> Duration? {
    guard let text else { return nil }
    let day: Double = 86_400
    if let seconds = Double(text), seconds >= 0 { return .seconds(min(seconds, day)) }
    guard let end = moment(text) else { return nil }
    let seconds = end.timeIntervalSince(date.flatMap(moment) ?? Date())
    return .seconds(min(max(seconds, 0), day))
  }

  private static func moment(_ text: String) -> Date? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.date(from: text)
  }
}
