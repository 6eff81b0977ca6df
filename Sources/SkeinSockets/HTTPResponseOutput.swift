#if os(Linux)
  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif
  import CSockets
  import Glibc

  /// A response that is being sent in chunks.
  struct HTTPResponseOutput: Sendable {
    private enum Source {
      case bytes([UInt8], from: Int)
      case file(OpenFile, left: Int)
    }

    private static let chunkSize = 64 << 10
    private static let chunksPerTurn = 8

    private var unsent: ArraySlice<UInt8>
    private var source: Source

    /// Opens the response's file, if there is one. Opening a file may block, so an output with a file must
    /// not be made on the service thread.
    init(_ response: HTTPResponse, isHead: Bool, closes: Bool) {
      var response = response
      var file: OpenFile?
      if case .file(let url, let start) = response.content {
        file = OpenFile(url, from: start)
        if file == nil { response = .plain(404, "There is no such file.") }
      }
      if !response.headers.areValid || !(200...599).contains(response.status) {
        response = .plain(500, "The answer can't be sent.")
        file = nil
      }
      let length: Int
      if let file {
        length = file.size
        source = .file(file, left: isHead ? 0 : length)
      } else if case .bytes(let bytes) = response.content {
        length = bytes.count
        source = .bytes(isHead ? [] : bytes, from: 0)
      } else {
        length = 0
        source = .bytes([], from: 0)
      }
      unsent = Self.head(response, length: length, closes: closes)[...]
      if response.status == 204 || response.status == 304 { source = .bytes([], from: 0) }
    }

    private static func head(_ response: HTTPResponse, length: Int, closes: Bool) -> [UInt8] {
      var text = "HTTP/1.1 \(response.status) \(reason(response.status))\r\n"
      let ours = ["Content-Length", "Connection", "Date", "Transfer-Encoding"]
      for (name, value) in response.headers.fields
      where !ours.contains(where: { HTTPHeaders.equal($0, name) }) {
        text += "\(name): \(value)\r\n"
      }
      text += "Date: \(date())\r\n"
      if response.status != 204 { text += "Content-Length: \(length)\r\n" }
      if closes { text += "Connection: close\r\n" }
      return Array((text + "\r\n").utf8)
    }

    private static func date() -> String {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        buffer.initialize(repeating: 0)
        csockets_date(buffer.baseAddress, buffer.count)
        return String(decoding: UnsafeRawBufferPointer(buffer).prefix { $0 != 0 }, as: UTF8.self)
      }
    }

    /// The usual phrase of a status; may be empty.
    private static func reason(_ status: Int) -> String {
      switch status {
      case 200: "OK"
      case 201: "Created"
      case 204: "No Content"
      case 206: "Partial Content"
      case 304: "Not Modified"
      case 400: "Bad Request"
      case 401: "Unauthorized"
      case 403: "Forbidden"
      case 404: "Not Found"
      case 405: "Method Not Allowed"
      case 409: "Conflict"
      case 411: "Length Required"
      case 413: "Content Too Large"
      case 426: "Upgrade Required"
      case 429: "Too Many Requests"
      case 500: "Internal Server Error"
      case 503: "Service Unavailable"
      default: ""
      }
    }

    /// Sends chunks until the socket is full or a fixed number of chunks is sent; returns `true` once the
    /// response is complete.
    ///
    /// - Parameter send: returns the number of bytes accepted, or a negative number if the connection has
    ///   failed.
    /// - Throws: ``SocketError`` if the connection has failed or the file was truncated meanwhile.
    mutating func write(_ send: (UnsafeRawBufferPointer) -> Int) throws -> Bool {
      // The number of chunks is limited, so that other connections get their turn.
      for _ in 0..<Self.chunksPerTurn {
        if unsent.isEmpty { unsent = try nextChunk()[...] }
        if unsent.isEmpty { return true }
        let count = unsent.withUnsafeBytes(send)
        if count < 0 { throw SocketError(.closed, "The client has disconnected.") }
        if count == 0 { return false }
        unsent = unsent.dropFirst(count)
      }
      return false
    }

    private mutating func nextChunk() throws -> [UInt8] {
      switch source {
      case .bytes(let bytes, let start):
        let end = min(start + Self.chunkSize, bytes.count)
        source = .bytes(bytes, from: end)
        return Array(bytes[start..<end])
      case .file(let file, let left):
        let chunk = try file.read(min(Self.chunkSize, left))
        source = .file(file, left: left - chunk.count)
        return chunk
      }
    }
  }

  /// A file open for reading from an offset on.
  private final class OpenFile: Sendable {
    /// The number of bytes from the offset to the end.
    let size: Int
    private let descriptor: Int32

    init?(_ url: URL, from start: Int) {
      let descriptor = open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        start == 0 || (0..<Int(status.st_size)).contains(start), lseek(descriptor, start, SEEK_SET) == start
      else {
        close(descriptor)
        return nil
      }
      self.descriptor = descriptor
      size = Int(status.st_size) - start
    }

    deinit {
      close(descriptor)
    }

    func read(_ count: Int) throws -> [UInt8] {
      guard count > 0 else { return [] }
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = max(0, Glibc.read(descriptor, buffer.baseAddress, count))
      }
      if bytes.isEmpty { throw SocketError(.closed, "The file was truncated while it was being sent.") }
      return bytes
    }
  }

  extension HTTPResponse {
    /// A plain text response of the server itself.
    static func plain(_ status: Int, _ sentence: String) -> HTTPResponse {
      HTTPResponse(
        status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
        content: .bytes(Array((sentence + "\n").utf8)))
    }
  }
#endif
