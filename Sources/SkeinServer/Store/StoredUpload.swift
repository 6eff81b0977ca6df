import SkeinStorage
import SkeinWire

/// An incomplete upload. The upload continues at the length of its file.
struct StoredUpload: Mapped {
  let id: Wire.UploadID
  let user: Wire.UserID
  /// The expected hash of the bytes.
  let hash: Wire.MediaID
  let size: Int64
  let type: String
  let created: Int64

  static let table = Table(
    "upload", key: ["id"], clusteredBy: ["id"], indexes: [Index(["user", "created"])], Self.init,
    Column("id", \.id), Column("user", \.user), Column("hash", \.hash), Column("size", \.size),
    Column("type", \.type), Column("created", \.created))

  /// The second version of the database added resumable uploads.
  static let migration = Migration(to: 2, "resumable uploads") { rows in
    try rows.execute(
      """
      CREATE TABLE upload (
        id TEXT NOT NULL, user TEXT NOT NULL, hash TEXT NOT NULL, size INTEGER NOT NULL, type TEXT NOT NULL,
        created INTEGER NOT NULL, PRIMARY KEY (id)) STRICT, WITHOUT ROWID
      """)
    try rows.execute("CREATE INDEX upload_user_created ON upload (user, created)")
  }
}

extension WriteTransaction {
  /// Returns the user's incomplete upload of the same hash, size and type. If there is none, inserts and
  /// returns `new`, and removes the user's oldest uploads beyond `limit`, except those that requests work on.
  func findOrInsert(_ new: StoredUpload, limit: Int, isBusy: (Wire.UploadID) -> Bool) throws
    -> (row: StoredUpload, removed: [Wire.UploadID])
  {
    let others = try select(StoredUpload.self, "WHERE user = ? ORDER BY created DESC, id", new.user)
    if let same = others.first(where: { $0.hash == new.hash && $0.size == new.size && $0.type == new.type }) {
      return (same, [])
    }
    let removed = others.dropFirst(max(limit, 1) - 1).map(\.id).filter { !isBusy($0) }
    for id in removed { _ = try delete(StoredUpload.self, id) }
    try insert(new)
    return (new, removed)
  }

  /// Records a complete file and its uploader; a known file keeps its stored type.
  func insertMedia(_ id: Wire.MediaID, size: Int64, type: String, by user: Wire.UserID) throws -> StoredMedia
  {
    let known = try find(StoredMedia.self, id)
    let row = known ?? StoredMedia(id: id, size: size, type: type)
    if known == nil { try insert(row) }
    try upsert(StoredMediaUpload(media: id, user: user))
    return row
  }
}
