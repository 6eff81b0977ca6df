extension Wire {
  /// Answer of `POST /v1/media`: the file is on the server's disk.
  public struct Media: Codable, Sendable, Equatable {
    /// Its content address, the same for the same bytes.
    public var id: MediaID
    /// In bytes.
    public var size: Int64
    /// The media type given by its first upload.
    public var type: String

    /// Makes a file.
    public init(id: MediaID, size: Int64, type: String) {
      self.id = id
      self.size = size
      self.type = type
    }
  }

  /// Body of `POST /v1/media/copies`: a file for the server to copy.
  public struct CopyRequest: Codable, Sendable, Equatable {
    /// An `http` or `https` address.
    public var url: String

    /// Makes a request.
    public init(url: String) { self.url = url }
  }

  /// Body of `POST /v1/uploads`: a file to upload.
  public struct UploadRequest: Codable, Sendable, Equatable {
    /// The SHA-256 of the bytes.
    public var hash: MediaID
    /// In bytes.
    public var size: Int64
    /// The media type.
    public var type: String

    /// Makes a file.
    public init(hash: MediaID, size: Int64, type: String) {
      self.hash = hash
      self.size = size
      self.type = type
    }
  }

  /// Answer of the calls below `/v1/uploads`: the state of an incomplete upload, or the complete file.
  public struct Upload: Codable, Sendable, Equatable {
    /// The upload's id, while it is incomplete.
    public var upload: UploadID?
    /// The number of bytes received, while it is incomplete.
    public var offset: Int64?
    /// The complete file on the server's disk.
    public var media: Media?

    /// Makes the state of an incomplete upload.
    public init(upload: UploadID, offset: Int64) {
      self.upload = upload
      self.offset = offset
    }

    /// Makes the state of a complete upload.
    public init(media: Media) { self.media = media }
  }
}
