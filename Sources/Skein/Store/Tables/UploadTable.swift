import SkeinStorage

/// Queries of the table of uploads.
extension ReadTransaction {
  func finishedUploads() throws -> [UploadRow] { try select(UploadRow.self, "WHERE media IS NOT NULL") }
}
