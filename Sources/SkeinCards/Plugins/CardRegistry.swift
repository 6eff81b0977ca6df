public import Skein

/// The plugins and components by which each kind of message is drawn.
///
/// ```swift
/// var cards = CardRegistry.standard
/// cards.register(PollPlugin.self)
/// cards.register(Weather.self) { weather, _ in [WeatherComponent(weather)] }
/// ```
public struct CardRegistry: Sendable {
  enum Entry: Sendable {
    case plugin(any MessageCardPlugin.Type)
    case components(@Sendable (ChatMessage) throws -> [any CardComponent])
  }
  private var entries: [MessageKind: Entry] = [:]

  /// Makes an empty registry, with which all cards show their text.
  public init() {}

  /// Registers a plugin for its kinds. Earlier registrations of these kinds are replaced.
  public mutating func register(_ plugin: any MessageCardPlugin.Type) {
    for kind in plugin.kinds { entries[kind] = .plugin(plugin) }
  }

  /// Registers components for a kind whose cards need no plugin. An earlier registration of the kind is replaced.
  ///
  /// - Parameter components: called on the kind's own queue. If the closure throws, takes too long or returns
  ///   no components, the card shows the message's text.
  public mutating func register<Content: MessageContent>(
    _ type: Content.Type,
    components: @escaping @Sendable (Content, ChatMessage) throws -> [any CardComponent]
  ) {
    entries[Content.kind] = .components { message in
      guard let content = message.content.as(Content.self) else { return [] }
      return try components(content, message)
    }
  }

  /// Removes a kind. The cards of the kind then show their text.
  public mutating func remove(_ kind: MessageKind) { entries[kind] = nil }

  /// The registered kinds.
  public var kinds: Set<MessageKind> { Set(entries.keys) }

  subscript(kind: MessageKind) -> Entry? { entries[kind] }
}
