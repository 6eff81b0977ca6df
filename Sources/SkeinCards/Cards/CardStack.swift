/// A component that holds others, one below the other or side by side.
public struct CardStack: CardComponent {
  /// How components stand to each other.
  public enum Axis: Sendable, Hashable {
    /// One below the other.
    case vertical
    /// Side by side.
    case horizontal
  }
  /// Names it within its card.
  public let id: ComponentID
  /// How what it holds stands.
  public let axis: Axis
  /// What it holds, in order.
  public let components: [any CardComponent]

  /// Holds components.
  public init(_ id: ComponentID = "stack", _ axis: Axis = .vertical, _ components: [any CardComponent]) {
    self.id = id
    self.axis = axis
    self.components = components
  }

  /// The texts of what it holds, in order.
  public var displayedText: String {
    components.map(\.displayedText).filter { !$0.isEmpty }.joined(separator: " ")
  }
}
