public import Skein

/// A place.
public struct LocationComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID
  /// Degrees north, −90 to 90 (WGS 84).
  public let latitude: Double
  /// Degrees east, −180 to 180 (WGS 84).
  public let longitude: Double
  /// The place's name, or that it is one.
  public let displayedText: String

  /// Shows a place; nil where no such place is on Earth.
  public init?(_ content: LocationContent, id: ComponentID = "location") {
    guard (-90...90).contains(content.latitude), (-180...180).contains(content.longitude) else { return nil }
    self.id = id
    latitude = content.latitude
    longitude = content.longitude
    displayedText = content.displayedText
  }
}
