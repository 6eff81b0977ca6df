import Skein

/// What a check can't do without; a backend without it is never asked for it.
public enum CheckNeed: Sendable, Hashable, CustomStringConvertible {
  /// The server gives messages positions: ``BackendCapabilities/ordering`` is not ``BackendCapabilities/Ordering/arrival``.
  case positions
  /// The server knows message ids again: ``BackendCapabilities/idempotency`` is not
  /// ``BackendCapabilities/Idempotency/none``.
  case idempotency
  /// The server knows message ids again for ever.
  case endlessIdempotency
  /// ``BackendCapabilities/readMarks``.
  case readMarks
  /// ``BackendCapabilities/media``.
  case media
  /// The test server is a ``StoppableServer``.
  case stopping
  /// The test server is a ``CuttableServer``.
  case cutting
  /// The test server is a ``LossyServer``.
  case losing
  /// The test server is a ``SessionEndingServer``.
  case endingSessions
  /// The test server is an ``OutsidePostingServer``.
  case outsidePosts

  /// What it is, as the end of *the backend has no …*.
  public var description: String {
    switch self {
    case .positions: "positions (ordering is .arrival)"
    case .idempotency: "memory of message ids (idempotency is .none)"
    case .endlessIdempotency: "endless memory of message ids (idempotency is not .forever)"
    case .readMarks: "read marks"
    case .media: "media server"
    case .stopping: "test server that can be stopped (StoppableServer)"
    case .cutting: "test server that cuts connections (CuttableServer)"
    case .losing: "test server that loses answers (LossyServer)"
    case .endingSessions: "test server that ends sessions (SessionEndingServer)"
    case .outsidePosts: "test server that posts by other means (OutsidePostingServer)"
    }
  }

  func isMet(by server: any TestServer, _ capabilities: BackendCapabilities) -> Bool {
    switch self {
    case .positions: capabilities.ordering != .arrival
    case .idempotency: capabilities.idempotency != .none
    case .endlessIdempotency: capabilities.idempotency == .forever
    case .readMarks: capabilities.readMarks
    case .media: capabilities.media
    case .stopping: server is any StoppableServer
    case .cutting: server is any CuttableServer
    case .losing: server is any LossyServer
    case .endingSessions: server is any SessionEndingServer
    case .outsidePosts: server is any OutsidePostingServer
    }
  }
}
