#if os(Linux)
  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif
  import CSockets
  import Glibc

  /// A response on its way out, a chunk at a time.
  struct HTTPResponseOutput: Sendable {
    private enum Source {
      case bytes([UInt8], from: Int)
      case file(OpenFile, left: Int)
    }

    private static let chunkSize = 64 << 10
    private static let chunksPerTurn = 8

    private var unsent: ArraySlice<UInt8>
    private var source: Source

    /// Opens the file where there is one, so it may block: not for the service thread.
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

    /// Of the statuses that have a usual phrase; the phrase may be empty.
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

    /// Sends what the network takes now; `true` when that was the last of it.
    ///
    /// - Parameter send: says how many bytes were taken; fewer than none means that the connection has failed.
    /// - Throws: ``SocketError`` then, and when the file has become shorter than was promised.
    mutating func write(_ send: (UnsafeRawBufferPointer) -> Int) throws -> Bool {
      // After so much, it is the turn of other connections.
      for _ in 0..<Self.chunksPerTurn {
        if unsent.isEmpty { unsent = try nextChunk()[...] }
        if unsent.isEmpty { return true }
        let count = unsent.withUnsafeBytes(send)
        if count < 0 { throw SocketError(.closed, "The client has gone.") }
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

  /// A file open for reading from one of its bytes on.
  private final class OpenFile: Sendable {
    /// How many bytes follow.
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
      if bytes.isEmpty { throw SocketError(.closed, "The file became shorter while it was sent.") }
      return bytes
    }
  }

  extension HTTPResponse {
    /// A sentence, as the server itself answers.
    static func plain(_ status: Int, _ sentence: String) -> HTTPResponse {
      HTTPResponse(
        status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
        content: .bytes(Array((sentence + "\n").utf8)))
    }
  }
#endif
