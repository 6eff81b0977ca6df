/// Stores the settings of conversations for the account; see ``BackendCapabilities/settings``.
public protocol ConversationSettingsBackend: Sendable {
  /// Stores one setting of a conversation of which the account is a member. Called only for settings that
  /// ``BackendCapabilities/settings`` contains. A repeated call changes nothing.
  ///
  /// The account's other devices receive the setting by sync, in ``ConversationInfo/settings``. A conversation that the
  /// account joins has none of the settings, unless the server states them.
  ///
  /// - Throws: ``BackendError`` with ``BackendError/Code/permanent`` if the account can't have this setting. The device
  ///   then shows the value that the server has stated last.
  func set(_ setting: ConversationSetting, to isSet: Bool, of conversation: ConversationRef) async throws
}

/// The settings of conversations that a server stores, and their implementer.
public struct SupportedSettings: Sendable {
  /// The supported settings.
  public let kinds: BackendCapabilities.Settings
  /// The implementer.
  public let backend: any ConversationSettingsBackend

  /// Describes the supported settings and their implementer.
  public init(_ kinds: BackendCapabilities.Settings, by backend: any ConversationSettingsBackend) {
    self.kinds = kinds
    self.backend = backend
  }
}
