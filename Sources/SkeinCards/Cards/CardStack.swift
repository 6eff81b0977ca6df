/// A container that lays out components vertically or horizontally.
public struct CardStack: CardComponent {
  /// The direction in which components are laid out.
  public enum Axis: Sendable, Hashable {
    /// From top to bottom.
    case vertical
    /// From left to right.
    case horizontal
  }
  /// Unique within the card.
  public let id: ComponentID
  /// The layout direction.
  public let axis: Axis
  /// The contained components, in order.
  public let components: [any CardComponent]

  /// Makes a stack of components.
  public init(_ id: ComponentID = "stack", _ axis: Axis = .vertical, _ components: [any CardComponent]) {
    self.id = id
    self.axis = axis
    self.components = components
  }

  /// The texts of the contained components, in order.
  public var displayedText: String {
    components.map(\.displayedText).filter { !$0.isEmpty }.joined(separator: " ")
  }
}
