import Foundation
import SkeinModel

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension BackendError {
  /// No answer within the deadline.
  static let late = BackendError(.transient, "The server did not answer in time.", outcomeIsUnknown: true)

  /// An answer that does not conform to the protocol.
  static let garbled = BackendError(
    .transient, "Something other than the server answered, or its answer was damaged.", outcomeIsUnknown: true
  )

  /// An answer longer than the limit.
  static let oversize = BackendError(
    .transient, "The answer exceeds its maximum length.", outcomeIsUnknown: true)

  /// A connection that ended before the answer was complete.
  static let brokenOff = BackendError(
    .unreachable, "The connection to the server was lost.", outcomeIsUnknown: true)

  /// Creates the error for a request without a complete answer.
  init(exchange error: any Error) {
    switch (error as? URLError)?.code {
    case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .dataNotAllowed,
      .internationalRoamingOff, .callIsActive, .secureConnectionFailed, .serverCertificateUntrusted,
      .serverCertificateHasBadDate, .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
      self.init(.unreachable, "The server can't be reached.", cause: error)
    case .timedOut:
      self.init(.transient, Self.late.message, outcomeIsUnknown: true, cause: error)
    default:
      // This includes a truncated answer, which has no error code of its own. It also includes an answer that
      // is not HTTP: Linux reports an invalid address for such an answer.
      self.init(.unreachable, Self.brokenOff.message, outcomeIsUnknown: true, cause: error)
    }
  }
}
