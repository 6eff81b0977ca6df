extension Wire {
  /// Answer of `POST /v1/media` and `POST /v1/media/copies`: the file is on the server's disk.
  public struct Media: Codable, Sendable, Equatable {
    /// The file's content address; equal bytes have equal addresses.
    public var id: MediaID
    /// The size in bytes.
    public var size: Int64
    /// The media type from the first upload or copy of these bytes.
    public var type: String

    /// Creates the description of a stored file.
    public init(id: MediaID, size: Int64, type: String) {
      self.id = id
      self.size = size
      self.type = type
    }
  }

  /// Body of `POST /v1/media/copies`: a file for the server to copy.
  public struct CopyRequest: Codable, Sendable, Equatable {
    /// The `http` or `https` address of the file.
    public var url: String

    /// Creates a request.
    public init(url: String) { self.url = url }
  }

  /// Body of `POST /v1/uploads`: a file to upload.
  public struct UploadRequest: Codable, Sendable, Equatable {
    /// The SHA-256 hash of the bytes.
    public var hash: MediaID
    /// The size in bytes.
    public var size: Int64
    /// The media type.
    public var type: String

    /// Creates a request.
    public init(hash: MediaID, size: Int64, type: String) {
      self.hash = hash
      self.size = size
      self.type = type
    }
  }

  /// Answer of the calls whose path begins with `/v1/uploads`: the state of an incomplete upload, or the
  /// complete file.
  public struct Upload: Codable, Sendable, Equatable {
    /// The id of an incomplete upload.
    public var upload: UploadID?
    /// The number of bytes that the server has received of an incomplete upload.
    public var offset: Int64?
    /// The file on the server's disk, once the upload is complete.
    public var media: Media?

    /// Creates the state of an incomplete upload.
    public init(upload: UploadID, offset: Int64) {
      self.upload = upload
      self.offset = offset
    }

    /// Creates the state of a complete upload.
    public init(media: Media) { self.media = media }
  }
}
