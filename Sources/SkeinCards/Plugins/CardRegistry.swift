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

  /// An empty registry: all cards show their text.
  public init() {}

  /// Registers a plugin for its kinds, in place of any earlier one.
  public mutating func register(_ plugin: any MessageCardPlugin.Type) {
    for kind in plugin.kinds { entries[kind] = .plugin(plugin) }
  }

  /// Registers components for a kind whose cards need no plugin.
  ///
  /// - Parameter components: called on a queue of the kind's own; if it throws or takes too long, the card
  ///   shows its text.
  public mutating func register<Content: MessageContent>(
    _ type: Content.Type,
    components: @escaping @Sendable (Content, ChatMessage) throws -> [any CardComponent]
  ) {
    entries[Content.kind] = .components { message in
      guard let content = message.content.as(Content.self) else { return [] }
      return try components(content, message)
    }
  }

  /// Removes a kind, whose cards then show their text.
  public mutating func remove(_ kind: MessageKind) { entries[kind] = nil }

  /// The registered kinds.
  public var kinds: Set<MessageKind> { Set(entries.keys) }

  subscript(kind: MessageKind) -> Entry? { entries[kind] }
}
