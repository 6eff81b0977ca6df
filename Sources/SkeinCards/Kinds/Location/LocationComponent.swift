public import Skein

/// A place.
public struct LocationComponent: CardComponent {
  /// Unique within the card.
  public let id: ComponentID
  /// Degrees north, −90 to 90 (WGS 84).
  public let latitude: Double
  /// Degrees east, −180 to 180 (WGS 84).
  public let longitude: Double
  /// The place's name, or a placeholder.
  public let displayedText: String

  /// Makes the component of a place; nil if the coordinates are out of range.
  public init?(_ content: LocationContent, id: ComponentID = "location") {
    guard (-90...90).contains(content.latitude), (-180...180).contains(content.longitude) else { return nil }
    self.id = id
    latitude = content.latitude
    longitude = content.longitude
    displayedText = content.displayedText
  }
}
