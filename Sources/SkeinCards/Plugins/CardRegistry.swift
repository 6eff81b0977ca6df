public import Skein

/// Who draws which kinds of message: each business registers its own, in one line.
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

  /// Knows nothing: all cards show their text.
  public init() {}

  /// Lets a business draw its kinds and hear of what is done with them.
  public mutating func register(_ plugin: any MessageCardPlugin.Type) {
    for kind in plugin.kinds { entries[kind] = .plugin(plugin) }
  }

  /// Says what the cards of a kind are made of with which nothing can be done.
  ///
  /// - Parameter components: called when a card is made, on a queue of the kind's own; where it throws or takes too long, the card
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

  /// Takes a kind out: its cards show their text.
  public mutating func remove(_ kind: MessageKind) { entries[kind] = nil }

  /// The kinds that somebody draws.
  public var kinds: Set<MessageKind> { Set(entries.keys) }

  subscript(kind: MessageKind) -> Entry? { entries[kind] }
}
