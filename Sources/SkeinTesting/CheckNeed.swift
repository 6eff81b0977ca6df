import SkeinModel

/// A requirement of a check. The check is skipped if the backend or the test server does not meet the requirement.
public enum CheckNeed: Sendable, Hashable, CustomStringConvertible {
  /// The server gives messages positions: ``BackendCapabilities/ordering`` is not
  /// ``BackendCapabilities/Ordering/arrival``.
  case positions
  /// The server recognizes repeated message ids: ``BackendCapabilities/idempotency`` is not
  /// ``BackendCapabilities/Idempotency/none``.
  case idempotency
  /// The server recognizes repeated message ids without a time limit.
  case endlessIdempotency
  /// ``BackendCapabilities/HistoryAnchors/after``. If the ordering is
  /// ``BackendCapabilities/Ordering/arrival``, the check instead needs pages with ``HistoryPage/next``, and
  /// is skipped when a page has none.
  case pagesForward
  /// ``BackendCapabilities/HistoryAnchors/message``.
  case pagesAroundMessage
  /// ``BackendCapabilities/HistoryAnchors/time``.
  case pagesAtTime
  /// ``BackendCapabilities/contacts``.
  case contacts
  /// ``BackendCapabilities/leaving``.
  case leaving
  /// ``BackendCapabilities/readMarks``.
  case readMarks
  /// ``BackendCapabilities/settings``.
  case settings
  /// ``BackendCapabilities/Actions/edits``.
  case edits
  /// ``BackendCapabilities/Actions/recalls``.
  case recalls
  /// ``BackendCapabilities/Actions/reactions``.
  case reactions
  /// ``BackendCapabilities/Actions/pins``.
  case pins
  /// ``BackendCapabilities/Actions/stars``.
  case stars
  /// ``BackendCapabilities/replies``.
  case replies
  /// ``BackendCapabilities/mentions``.
  case mentions
  /// ``BackendCapabilities/deliveryReceipts``.
  case deliveryReceipts
  /// ``BackendCapabilities/readReceipts``.
  case readReceipts
  /// ``BackendCapabilities/typing``.
  case typing
  /// ``BackendCapabilities/presence``.
  case presence
  /// ``BackendCapabilities/pipelining``.
  case pipelining
  /// ``BackendCapabilities/renewal``.
  case renewal
  /// ``BackendCapabilities/media``.
  case media
  /// ``BackendCapabilities/rehosting``.
  case rehosting
  /// The test server is a ``StoppableServer``.
  case stopping
  /// The test server is a ``CuttableServer``.
  case cutting
  /// The test server is a ``LossyServer``.
  case losing
  /// The test server is a ``SessionEndingServer``.
  case endingSessions
  /// The test server is a ``TokenExpiringServer``.
  case expiringTokens
  /// The test server is an ``OutsidePostingServer``.
  case outsidePosts
  /// The test server is a ``ContactEditingServer``.
  case editingContacts
  /// The test server is an ``InvitingServer``.
  case inviting
  /// The test server is a ``RestorableServer``.
  case restoring
  /// The test server is a ``FileHostingServer``.
  case hostingFiles

  /// The requirement in a few words.
  public var description: String {
    switch self {
    case .positions: "positions"
    case .idempotency: "idempotency"
    case .endlessIdempotency: "idempotency without limit"
    case .pagesForward: "pages forward"
    case .pagesAroundMessage: "pages around a message"
    case .pagesAtTime: "pages at a time"
    case .contacts: "contacts"
    case .leaving: "leaving"
    case .readMarks: "read marks"
    case .settings: "settings of conversations"
    case .edits: "edits"
    case .recalls: "recalls"
    case .reactions: "reactions"
    case .pins: "pins"
    case .stars: "stars"
    case .replies: "replies"
    case .mentions: "mentions"
    case .deliveryReceipts: "delivery receipts"
    case .readReceipts: "read receipts"
    case .typing: "typing"
    case .presence: "presence"
    case .pipelining: "pipelining"
    case .renewal: "renewal of sessions"
    case .media: "media"
    case .rehosting: "rehosting"
    case .stopping: "StoppableServer"
    case .cutting: "CuttableServer"
    case .losing: "LossyServer"
    case .endingSessions: "SessionEndingServer"
    case .expiringTokens: "TokenExpiringServer"
    case .outsidePosts: "OutsidePostingServer"
    case .editingContacts: "ContactEditingServer"
    case .inviting: "InvitingServer"
    case .restoring: "RestorableServer"
    case .hostingFiles: "FileHostingServer"
    }
  }

  /// The reason that a check reports when it is skipped because the requirement is not met.
  var lack: String {
    switch self {
    case .positions: "The backend's ordering is arrival: its messages have no positions."
    case .idempotency: "The backend's idempotency is none."
    case .endlessIdempotency: "The backend's idempotency is not forever."
    case .contacts: "The backend has no contacts."
    case .leaving: "The backend has no leaving of groups."
    case .readMarks: "The backend has no read marks."
    case .settings, .edits, .recalls, .reactions, .pins, .stars, .replies, .mentions, .deliveryReceipts,
      .readReceipts,
      .typing,
      .presence, .pipelining, .renewal, .rehosting, .pagesForward, .pagesAroundMessage, .pagesAtTime:
      "The backend has no \(self)."
    case .media: "The backend has no media."
    case .stopping, .cutting, .losing, .endingSessions, .expiringTokens, .outsidePosts, .editingContacts,
      .inviting, .restoring, .hostingFiles:
      "The test server is no \(self)."
    }
  }

  func isMet(by server: any TestServer, _ abilities: ServerAbilities) -> Bool {
    switch self {
    case .positions: abilities.ordering != .arrival
    case .idempotency: abilities.idempotency != .none
    case .endlessIdempotency: abilities.idempotency == .forever
    case .pagesForward: abilities.ordering == .arrival || abilities.history.contains(.after)
    case .pagesAroundMessage: abilities.history.contains(.message)
    case .pagesAtTime: abilities.history.contains(.time)
    case .contacts: abilities.contacts
    case .leaving: abilities.leaving
    case .readMarks: abilities.readMarks
    case .settings: !abilities.settings.isEmpty
    case .edits: abilities.actions.contains(.edits)
    case .recalls: abilities.actions.contains(.recalls)
    case .reactions: abilities.actions.contains(.reactions)
    case .pins: abilities.actions.contains(.pins)
    case .stars: abilities.actions.contains(.stars)
    case .replies: abilities.replies
    case .mentions: abilities.mentions
    case .deliveryReceipts: abilities.receipts.contains(.delivered)
    case .readReceipts: abilities.receipts.contains(.read)
    case .typing: abilities.typing
    case .presence: abilities.presence
    case .pipelining: abilities.pipelining
    case .renewal: abilities.renewal
    case .media: abilities.media
    case .rehosting: abilities.rehosting
    case .stopping: server is any StoppableServer
    case .cutting: server is any CuttableServer
    case .losing: server is any LossyServer
    case .endingSessions: server is any SessionEndingServer
    case .expiringTokens: server is any TokenExpiringServer
    case .outsidePosts: server is any OutsidePostingServer
    case .editingContacts: server is any ContactEditingServer
    case .inviting: server is any InvitingServer
    case .restoring: server is any RestorableServer
    case .hostingFiles: server is any FileHostingServer
    }
  }
}
