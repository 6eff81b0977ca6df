/// A message with a location.
public struct LocationContent: MessageContent {
  /// `location`.
  public static let kind: MessageKind = "location"
  /// Degrees north, −90 to 90 (WGS 84).
  public var latitude: Double
  /// Degrees east, −180 to 180 (WGS 84).
  public var longitude: Double
  /// The name of the place, if known.
  public var name: String?
  /// Creates a message with a location.
  public init(latitude: Double, longitude: Double, name: String? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    self.name = name
  }
  /// The place's name, or a placeholder.
  public var displayedText: String { name ?? "[location]" }
  /// The place's name.
  public var searchableText: String? { name }
}
