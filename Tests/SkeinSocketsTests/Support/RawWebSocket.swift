import Testing

/// A WebSocket client that can send invalid frames.
struct RawWebSocket {
  let client: RawClient

  /// Opens a WebSocket; `bytes` are sent in one write with the upgrade.
  init(port: Int, path: String = "/", then bytes: [UInt8] = [], receiveBuffer: Int32? = nil) async throws {
    client = try RawClient(port: port, receiveBuffer: receiveBuffer)
    let upgrade =
      "GET \(path) HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    try await client.send(Array(upgrade.utf8) + bytes)
    let end = Array("\r\n\r\n".utf8)
    var answer: [UInt8] = []
    while !answer.ends(with: end) {
      let byte = try await eventually("the server agrees") { client.receiveSome(1) }
      try #require(!byte.isEmpty)
      answer += byte
    }
    try #require(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 101 "))
  }

  /// Makes a masked frame with a first byte and a payload. A given `length` replaces the true length.
  static func frame(_ first: UInt8, _ payload: [UInt8], announcing length: Int? = nil) -> [UInt8] {
    let length = length ?? payload.count
    var bytes = [first]
    switch length {
    case ..<126: bytes.append(0x80 | UInt8(length))
    case ..<65536: bytes += [0x80 | 126, UInt8(length >> 8), UInt8(length & 255)]
    default: bytes += [0x80 | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
    }
    let mask: [UInt8] = [1, 2, 3, 4]
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }

  func send(_ first: UInt8, _ payload: [UInt8], announcing length: Int? = nil) async throws {
    try await client.send(Self.frame(first, payload, announcing: length))
  }

  typealias Frame = (first: UInt8, payload: [UInt8])

  /// Returns the frames received until `isEnough` or the end of the connection.
  func frames(until isEnough: ([Frame]) -> Bool = { _ in false }) async throws -> [Frame] {
    Self.parse(try await client.receive { isEnough(Self.parse($0)) })
  }

  private static func parse(_ bytes: [UInt8]) -> [Frame] {
    var frames: [Frame] = []
    var rest = bytes[...]
    while rest.count >= 2 {
      let first = rest[rest.startIndex]
      var length = Int(rest[rest.startIndex + 1] & 127)
      let extra = length == 126 ? 2 : length == 127 ? 8 : 0
      guard rest.count >= 2 + extra else { break }
      if extra > 0 { length = rest.dropFirst(2).prefix(extra).reduce(0) { $0 << 8 | Int($1) } }
      guard rest.count >= 2 + extra + length else { break }
      frames.append((first, Array(rest.dropFirst(2 + extra).prefix(length))))
      rest = rest.dropFirst(2 + extra + length)
    }
    return frames
  }

  /// Returns the code of the server's close frame, ignoring other frames.
  func closeCode() async throws -> Int? {
    let frames = try await frames { $0.contains { $0.first == 0x88 } }
    return frames.last.flatMap { frame in
      frame.payload.count < 2 ? nil : Int(frame.payload[0]) << 8 | Int(frame.payload[1])
    }
  }
}

extension Array where Element == UInt8 {
  fileprivate func ends(with end: [UInt8]) -> Bool {
    suffix(end.count).elementsEqual(end)
  }
}
