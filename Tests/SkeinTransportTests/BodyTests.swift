import Foundation
import SkeinModel
import SkeinTransport
import Testing

@Suite("Long bodies of the transport")
struct BodyTests {
  private static let size = 10 << 20

  /// A server that answers each request with the body of the request.
  private func echo() throws -> TCPServer {
    try TCPServer { connection in
      while let head = connection.head() {
        let field = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        let length = field.flatMap { Int($0.dropFirst(16)) } ?? 0
        connection.say("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
        var rest = length
        while rest > 0 {
          let part = connection.bytes(upTo: rest)
          guard !part.isEmpty, connection.say(part) else { return }
          rest -= part.count
        }
      }
    }
  }

  @Test("Bodies of up to ten megabytes arrive and come back unchanged")
  func bytes() async throws {
    let server = try echo()
    let bytes = pattern(Self.size)
    let transport = SystemTransport(.patient)
    for length in [0, 1, 65_535, 65_536, 65_537, Self.size] {
      let part = Array(bytes.prefix(length))
      let answer = try await transport.perform(TransportRequest("POST", server.url(), body: .bytes(part)))
      let isWhole = answer.body == part
      #expect(isWhole)
    }
    #expect(server.connections == 1)
  }

  @Test("A file, or a part of it, arrives unchanged")
  func file() async throws {
    let server = try echo()
    let bytes = pattern(Self.size)
    let transport = SystemTransport(.patient)
    try await withFolder { folder in
      let file = folder.appending(path: "film")
      try Data(bytes).write(to: file)
      let parts: [(Int64, Int64?, Range<Int>)] = [
        (0, nil, 0..<Self.size), (5, nil, 5..<Self.size), (70_000, 1000, 70_000..<71_000), (9, 0, 9..<9),
      ]
      for (offset, count, range) in parts {
        let request = TransportRequest(
          "PUT", try server.url(), body: .file(file, from: offset, count: count))
        let isWhole = try await transport.perform(request).body == Array(bytes[range])
        #expect(isWhole)
      }
    }
  }

  @Test("A file that is missing, or shorter than stated, is a permanent failure, and nothing is sent")
  func missing() async throws {
    let server = try echo()
    let transport = SystemTransport(.patient)
    try await withFolder { folder in
      let file = folder.appending(path: "film")
      try Data([1, 2, 3]).write(to: file)
      let bodies: [TransportRequest.Body] = [
        .file(folder.appending(path: "nothing")), .file(folder), .file(file, from: 0, count: 4),
        .file(file, from: 4), .file(file, from: -1), .file(file, from: 0, count: -1),
      ]
      for body in bodies {
        let error = await backendError {
          _ = try await transport.perform(TransportRequest("PUT", server.url(), body: body))
        }
        #expect(error?.code == .permanent)
        #expect(error?.outcomeIsUnknown == false)
      }
    }
    #expect(server.connections == 0)
  }

  @Test("Ten megabytes are received into a file, and a broken download continues")
  func download() async throws {
    let bytes = pattern(Self.size)
    let server = try TCPServer { connection in
      guard let head = connection.head() else { return }
      let field = head.split(separator: "\r\n").first { $0.hasPrefix("Range: bytes=") }
      let start = field.flatMap { Int($0.dropFirst(13).dropLast()) }
      let body = bytes[(start ?? 0)...]
      let range = start.map { "Content-Range: bytes \($0)-\(Self.size - 1)/\(Self.size)\r\n" }
      connection.say(
        "HTTP/1.1 \(start == nil ? 200 : 206) OK\r\n\(range ?? "")Content-Length: \(body.count)\r\n\r\n")
      connection.say(Array(start == nil ? body.prefix(Self.size / 2) : body))
    }
    let transport = SystemTransport(.patient)
    try await withFolder { folder in
      let file = folder.appending(path: "film")
      let sink = try FileSink(target: file, name: "a1", size: Int64(Self.size))
      let error = await backendError {
        _ = try await transport.perform(TransportRequest(url: server.url()), into: sink)
      }
      #expect(error?.code == .unreachable)
      if let error { sink.abandon(after: error) }
      let rest = try FileSink(target: file, name: "a1", size: Int64(Self.size))
      #expect(rest.start > 0)
      let request = TransportRequest(url: try server.url(), headers: [("Range", "bytes=\(rest.start)-")])
      let answer = try await transport.perform(request, into: rest)
      #expect(answer.status == 206)
      #expect(answer.body.isEmpty)
      try await rest.finish()
      #expect(try Data(contentsOf: file) == Data(bytes))
    }
  }

  @Test(
    "A part that begins elsewhere, or is of a longer file, is not appended, and the next download starts anew",
    arguments: ["", "bytes 0-99/100", "bytes 39-99/100", "bytes 40-99/101", "bytes */100", "lines 40-99/100"])
  func otherPart(range: String) async throws {
    let server = try TCPServer { connection in
      _ = connection.head()
      connection.answer(
        String(repeating: "x", count: 60), status: "206 Partial Content",
        headers: range.isEmpty ? "" : "Content-Range: \(range)\r\n")
    }
    try await withFolder { folder in
      let file = folder.appending(path: "film")
      try Data(count: 40).write(to: folder.appending(path: "film.a1.partial"))
      let sink = try FileSink(target: file, name: "a1", size: 100)
      #expect(sink.start == 40)
      let request = TransportRequest(url: try server.url(), headers: [("Range", "bytes=40-")])
      let error = await backendError {
        try await sink.fill { _ = try await SystemTransport(.patient).perform(request, into: $0) }
      }
      #expect(error?.code == .transient)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test("The body of a refusal goes into the answer, and not into the file")
  func refusal() async throws {
    let server = try TCPServer { connection in
      _ = connection.head()
      connection.answer("gone", status: "410 Gone")
    }
    try await withFolder { folder in
      let file = folder.appending(path: "film")
      let sink = try FileSink(target: file, name: "a1", size: 4)
      let answer = try await SystemTransport(.patient).perform(
        TransportRequest(url: server.url()), into: sink)
      #expect(answer.status == 410)
      #expect(answer.body == Array("gone".utf8))
      await #expect(throws: BackendError.self) { try await sink.finish() }
      sink.abandon(after: BackendError.garbled)
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test("A download that is larger than the expected size of the file fails, and leaves no file")
  func tooLong() async throws {
    let server = try TCPServer { connection in
      _ = connection.head()
      connection.say("HTTP/1.1 200 OK\r\n\r\n")
      while connection.say(pattern(1000)) {}
    }
    try await withFolder { folder in
      let sink = try FileSink(target: folder.appending(path: "film"), name: "a1", size: 100_000)
      let error = await backendError {
        _ = try await SystemTransport(.patient).perform(TransportRequest(url: server.url()), into: sink)
      }
      #expect(error?.code == .transient)
      sink.abandon(after: BackendError.oversize)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }
}
