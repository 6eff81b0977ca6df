import Foundation

/// Bare `POST` requests over one connection, each after the answer to the one before, on a thread of their own.
///
/// Thousands of them take a fraction of what they would through a `URLSession`.
struct DemoPosts: Sendable {
  /// How long an answer may take, in seconds.
  private static let patience = 10

  private let descriptor: Int32
  private var answers = Data()

  /// Posts JSON bodies to a path, and returns once the last of them is answered.
  ///
  /// - Parameter token: whose request each is.
  /// - Throws: ``DemoFailure`` unless each of them is answered with a success.
  static func send(_ bodies: [(token: String, body: Data)], to path: String, at server: String) async throws {
    guard let url = URL(string: server), let host = url.host(), let port = url.port else {
      throw DemoFailure("no address: \(server)")
    }
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        done.resume(
          with: Result {
            guard let descriptor = StreamSocket.connect(host, port) else {
              throw DemoFailure("the server takes no connection")
            }
            defer { StreamSocket.close(descriptor) }
            StreamSocket.setPatience(patience, of: descriptor)
            var posts = DemoPosts(descriptor: descriptor)
            for (token, body) in bodies { try posts.send(body, token, path, host) }
          })
      }
    }
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  private mutating func send(_ body: Data, _ token: String, _ path: String, _ host: String) throws {
    let head =
      "POST /v1/\(path) HTTP/1.1\r\nHost: \(host)\r\nAuthorization: Bearer \(token)\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
    guard StreamSocket.write(Array(head.utf8) + body, to: descriptor) else {
      throw DemoFailure("the server has closed the connection")
    }
    let status = try answer()
    guard (200..<300).contains(status) else {
      throw DemoFailure("the server answered \(status) to a bare request")
    }
  }

  /// Waits for an answer, and takes it off what has come.
  ///
  /// - Returns: its status.
  private mutating func answer() throws -> Int {
    while true {
      if let end = answers.range(of: Data("\r\n\r\n".utf8)) {
        let head = String(decoding: answers[..<end.lowerBound], as: UTF8.self).lowercased()
        let words = head.split(whereSeparator: \.isWhitespace)
        let length = words.firstIndex(of: "content-length:").flatMap {
          words.dropFirst($0 + 1).first.flatMap { Int($0) }
        }
        guard let length, words.count > 1, let status = Int(words[1]) else {
          throw DemoFailure("the server's answer has no status or no length")
        }
        if answers.endIndex - end.upperBound >= length {
          answers = Data(answers[(end.upperBound + length)...])
          return status
        }
      }
      let bytes = LineReader.read(descriptor)
      guard !bytes.isEmpty else { throw DemoFailure("the server did not answer a bare request") }
      answers += bytes
    }
  }
}
