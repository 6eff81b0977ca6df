extension Wire {
  /// Answer of `POST /v1/media`: the file is on the server's disk.
  public struct Media: Codable, Sendable, Equatable {
    /// Its content address; the same bytes have the same one.
    public var id: MediaID
    /// In bytes.
    public var size: Int64
    /// The media type it is handed out with: the one its first upload gave.
    public var type: String

    /// A file of these parts.
    public init(id: MediaID, size: Int64, type: String) {
      self.id = id
      self.size = size
      self.type = type
    }
  }
}
