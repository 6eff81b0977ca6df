#if os(Linux)
  import CSockets

  /// A request without its body, as libwebsockets parsed it.
  struct HTTPRequestHead: Sendable {
    let method: String
    let path: String
    let query: [HTTPRequest.Parameter]
    let headers: HTTPHeaders
    let remoteAddress: String

    /// The reason to reject a request, as a status and a sentence.
    struct Refusal: Error {
      let status: Int
      let reason: String
    }

    /// Whether the request may have a body of unknown length. The connection must then close after the
    /// response.
    var hasUnknownLength: Bool {
      headers["Content-Length"] == nil && ["POST", "PUT", "PATCH"].contains(method)
    }

    /// Returns the length of the body in bytes; 0 if the request has no `Content-Length`.
    func bodyLength(maximum: Int) throws(Refusal) -> Int {
      if headers["Transfer-Encoding"] != nil {
        throw Refusal(status: 411, reason: "A body needs a Content-Length.")
      }
      guard let field = headers["Content-Length"] else { return 0 }
      guard !field.isEmpty, field.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else {
        throw Refusal(status: 400, reason: "Content-Length must be a number.")
      }
      // A number too large for Int exceeds any maximum.
      guard let length = Int(field), length <= maximum else {
        throw Refusal(status: 413, reason: "The body is longer than \(maximum) bytes.")
      }
      return length
    }

    /// Checks the method and the header fields of an upgrade, so that the client receives the reason of a
    /// rejection.
    func checkUpgrade() throws(Refusal) {
      guard method == "GET", headers["Host"] != nil, headers["Sec-WebSocket-Key"] != nil else {
        throw Refusal(status: 400, reason: "A WebSocket upgrade needs GET, Host and Sec-WebSocket-Key.")
      }
      guard headers["Sec-WebSocket-Version"] == "13" else {
        throw Refusal(status: 426, reason: "The WebSocket version must be 13.")
      }
    }

    func request(body: HTTPBody) -> HTTPRequest {
      HTTPRequest(
        method: method, path: path, query: query, headers: headers, body: body, remoteAddress: remoteAddress)
    }
  }

  extension HTTPRequestHead {
    /// Reads the request that libwebsockets has just parsed.
    init(_ wsi: OpaquePointer, customHeaders: [String]) throws(Refusal) {
      var start: UnsafeMutablePointer<CChar>?
      var length: Int32 = 0
      let index = csockets_method(wsi, &start, &length)
      let methods = ["GET", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "CONNECT", "HEAD"]
      guard methods.indices.contains(Int(index)), let start else {
        throw Refusal(status: 400, reason: "The request line is invalid.")
      }
      method = methods[Int(index)]
      let bytes = UnsafeRawBufferPointer(start: start, count: Int(length))
      guard !bytes.contains(0), let path = String(validating: bytes, as: UTF8.self), path.hasPrefix("/")
      else {
        throw Refusal(status: 400, reason: "The path must begin with / and be UTF-8 without zero bytes.")
      }
      self.path = path
      query = try Self.query(wsi)
      headers = try Self.headers(wsi, custom: customHeaders)
      remoteAddress = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        buffer.initialize(repeating: 0)
        csockets_peer_address(wsi, buffer.baseAddress, buffer.count)
        return String(decoding: UnsafeRawBufferPointer(buffer).prefix { $0 != 0 }, as: UTF8.self)
      }
    }

    private static func query(_ wsi: OpaquePointer) throws(Refusal) -> [HTTPRequest.Parameter] {
      var parameters: [HTTPRequest.Parameter] = []
      var index: Int32 = 0
      while true {
        let length = lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, index)
        let text = copy(length) { lws_hdr_copy_fragment(wsi, $0, $1, WSI_TOKEN_HTTP_URI_ARGS, index) }
        guard let text else { return parameters }
        index += 1
        guard let text = String(validating: text, as: UTF8.self), !text.utf8.contains(0) else {
          throw Refusal(status: 400, reason: "The query must be UTF-8 without zero bytes.")
        }
        guard !text.isEmpty else { continue }
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        parameters.append((String(halves[0]), halves.count > 1 ? String(halves[1]) : ""))
      }
    }

    private static func headers(_ wsi: OpaquePointer, custom: [String]) throws(Refusal) -> HTTPHeaders {
      var headers = HTTPHeaders()
      for (token, name) in known {
        let length = lws_hdr_total_length(wsi, token)
        guard length > 0, let value = copy(length, { lws_hdr_copy(wsi, $0, $1, token) }) else { continue }
        headers.append(String(decoding: value, as: UTF8.self), for: name)
      }
      for name in custom {
        let key = name.lowercased() + ":"
        let keyLength = Int32(clamping: key.utf8.count)
        let length = lws_hdr_custom_length(wsi, key, keyLength)
        guard let value = copy(length, { lws_hdr_custom_copy(wsi, $0, $1, key, keyLength) }) else { continue }
        headers.append(String(decoding: value, as: UTF8.self), for: name)
      }
      guard headers.areValid else { throw Refusal(status: 400, reason: "A header field is invalid.") }
      return headers
    }

    /// The tokens and names of the header fields that libwebsockets knows.
    private static let known: [(token: lws_token_indexes, name: String)] = (0..<csockets_header_count())
      .compactMap {
        guard let text = csockets_header_name($0) else { return nil }
        let name = String(cString: text)
        guard name.hasSuffix(":"), !name.hasPrefix(":") else { return nil }
        return (lws_token_indexes(UInt32($0)), String(name.dropLast()))
      }

    /// Copies a text of `length` bytes out of libwebsockets; `nil` on failure.
    private static func copy(
      _ length: Int32, _ body: (UnsafeMutablePointer<CChar>?, Int32) -> Int32
    ) -> [UInt8]? {
      guard length >= 0 else { return nil }
      // The capacity leaves room for commas between fields of one name, and for the terminating zero.
      let capacity = Int(length) * 2 + 2
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
        buffer.initialize(repeating: 0)
        let count = body(buffer.baseAddress, Int32(clamping: capacity))
        guard count >= 0 else { return nil }
        return UnsafeRawBufferPointer(buffer).prefix(Int(count)).map { $0 }
      }
    }
  }
#endif
