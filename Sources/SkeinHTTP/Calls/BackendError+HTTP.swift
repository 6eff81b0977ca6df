import Foundation
import SkeinModel

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension BackendError {
  /// No answer within the deadline.
  static let late = BackendError(.transient, "The server did not answer in time.", outcomeIsUnknown: true)

  /// An answer that is not the protocol's.
  static let garbled = BackendError(
    .transient, "Something other than the server answered, or its answer was damaged.", outcomeIsUnknown: true
  )

  /// An answer that is longer than any of the protocol's.
  static let oversize = BackendError(
    .transient, "The answer is longer than it may be.", outcomeIsUnknown: true)

  /// A connection that ended before the answer came.
  static let brokenOff = BackendError(
    .unreachable, "The connection to the server was lost.", outcomeIsUnknown: true)

  /// What it means that a request got no whole answer.
  init(exchange error: any Error) {
    switch (error as? URLError)?.code {
    case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .dataNotAllowed,
      .internationalRoamingOff, .callIsActive, .secureConnectionFailed, .serverCertificateUntrusted,
      .serverCertificateHasBadDate, .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
      self.init(.unreachable, "The server can't be reached.", cause: error)
    case .timedOut:
      self.init(.transient, Self.late.message, outcomeIsUnknown: true, cause: error)
    default:
      // Also an answer that broke off, which has no code of its own, and one that is no HTTP, whose code on Linux blames
      // the address.
      self.init(.unreachable, Self.brokenOff.message, outcomeIsUnknown: true, cause: error)
    }
  }
}
