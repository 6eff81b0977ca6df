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

  /// Body of `POST /v1/media/copies`: where there is a file that the server is to take a copy of.
  public struct CopyRequest: Codable, Sendable, Equatable {
    /// Over `http` or `https`.
    public var url: String

    /// The file at an address.
    public init(url: String) { self.url = url }
  }

  /// Body of `POST /v1/uploads`: what is to be uploaded.
  public struct UploadRequest: Codable, Sendable, Equatable {
    /// What the bytes will turn out to be.
    public var hash: MediaID
    /// In bytes.
    public var size: Int64
    /// The media type.
    public var type: String

    /// A file of these parts.
    public init(hash: MediaID, size: Int64, type: String) {
      self.hash = hash
      self.size = size
      self.type = type
    }
  }

  /// Answer of the calls below `/v1/uploads`: where the upload goes on, or what it has become.
  public struct Upload: Codable, Sendable, Equatable {
    /// Names the upload while it is not complete.
    public var upload: UploadID?
    /// How many bytes have come, while it is not complete.
    public var offset: Int64?
    /// The file, once it is on the server's disk.
    public var media: Media?

    /// An upload that goes on at an offset.
    public init(upload: UploadID, offset: Int64) {
      self.upload = upload
      self.offset = offset
    }

    /// An upload that is complete.
    public init(media: Media) { self.media = media }
  }
}
