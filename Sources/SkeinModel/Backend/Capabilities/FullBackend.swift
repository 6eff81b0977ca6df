/// A backend with the calls of every capability.
///
/// A wrapper around another backend conforms to this protocol and returns the result of
/// ``BackendCapabilities/routed(through:)`` as its capabilities. A later version of Skein that adds a
/// capability also adds the new calls to this protocol, so the wrapper does not compile until it forwards the
/// new calls:
///
/// ```swift
/// struct LoggingBackend: FullBackend {
///   let inner: any ChatBackend
///   var capabilities: BackendCapabilities { inner.capabilities.routed(through: self) }
///
///   func leave(_ group: ConversationRef) async throws {
///     log("leave")
///     try await inner.require(\.leaving).leave(group)
///   }
/// ```
public protocol FullBackend: ChatBackend, ReadMarkBackend, DeliveryBackend, ContactBackend,
  ConversationSettingsBackend, GroupLeavingBackend,
  MessageActionBackend, TypingBackend, MediaBackend, RehostingBackend, PipeliningBackend,
  SessionRenewalBackend
{}

extension BackendCapabilities {
  /// Returns the same capabilities, with the wrapper as the implementer of each capability.
  public func routed(through wrapper: any FullBackend) -> BackendCapabilities {
    BackendCapabilities(abilities, by: wrapper)
  }

  /// Creates capabilities with these abilities, all implemented by one backend.
  public init(_ abilities: ServerAbilities, by backend: any FullBackend) {
    self.init(
      idempotency: abilities.idempotency, ordering: abilities.ordering,
      reordersHistory: abilities.reordersHistory, echoesMessageID: abilities.echoesMessageID,
      sendDeadline: abilities.sendDeadline,
      largestContent: abilities.largestContent, history: abilities.history,
      readMarks: abilities.readMarks ? backend : nil,
      readReceipts: abilities.receipts.contains(.read),
      deliveryReceipts: abilities.receipts.contains(.delivered) ? backend : nil,
      media: abilities.media ? backend : nil, rehosting: abilities.rehosting ? backend : nil,
      contacts: abilities.contacts ? backend : nil,
      settings: abilities.settings.isEmpty ? nil : SupportedSettings(abilities.settings, by: backend),
      leaving: abilities.leaving ? backend : nil,
      actions: abilities.actions.isEmpty ? nil : SupportedActions(abilities.actions, by: backend),
      replies: abilities.replies, mentions: abilities.mentions, typing: abilities.typing ? backend : nil,
      presence: abilities.presence, pipelining: abilities.pipelining ? backend : nil,
      renewal: abilities.renewal ? backend : nil)
  }
}

extension ChatBackend {
  /// Returns the implementer of a capability that may be missing.
  ///
  /// ```swift
  /// try await inner.require(\.media).download(media, to: file)
  /// ```
  ///
  /// - Throws: ``BackendError`` with ``BackendError/Code/unsupported`` if the backend lacks the capability.
  public func require<Capability>(_ capability: KeyPath<BackendCapabilities, Capability?>) throws
    -> Capability
  {
    guard let implementer = capabilities[keyPath: capability] else {
      throw BackendError(.unsupported, "The backend does not support this: it has no \(Capability.self).")
    }
    return implementer
  }
}
