import SkeinStorage

extension UploadSource {
  /// Reads a file in pieces to compute its size and hash; stops between two pieces when the current task is
  /// cancelled.
  ///
  /// - Throws: ``ChatError`` with ``ChatError/Code/attachmentUnreadable`` if the file is gone or can't be
  ///   read; `CancellationError` if the current task is cancelled.
  @concurrent public static func reading(_ file: LocalFile) async throws -> UploadSource {
    var hash = ContentHash()
    var size: Int64 = 0
    do {
      let reader = try FileReader(file.url)
      while true {
        try Task.checkCancellation()
        let piece = try reader.read(upTo: 1 << 20)
        if piece.isEmpty { break }
        hash.update(piece)
        size += Int64(piece.count)
        await Task.yield()
      }
    } catch is StorageError {
      throw ChatError(.attachmentUnreadable, "An attached file is gone or can't be read.")
    }
    return UploadSource(file: file.url, type: file.type, size: size, hash: hash.finish())
  }
}
