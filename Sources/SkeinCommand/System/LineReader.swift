import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a file descriptor line by line on its own queue, and only when a line is requested.
actor LineReader {
  /// The number of bytes above which a line is split. Each piece but the last is slightly longer.
  private static let longestLine = 1 << 20

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "skein.lines")
  private var buffer: [UInt8] = []
  private var scanned = 0
  private var isAtEnd = false

  /// - Parameter descriptor: A descriptor that stays open as long as the reader is used.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The next line without its line break; nil at the end of the input. Only one caller may wait at a time.
  func next() async -> String? {
    while true {
      if let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
        defer {
          buffer.removeFirst(end + 1)
          scanned = 0
        }
        return text(buffer[..<end])
      }
      scanned = buffer.count
      if isAtEnd || buffer.count > Self.longestLine {
        defer {
          buffer = []
          scanned = 0
        }
        return buffer.isEmpty ? nil : text(buffer[...])
      }
      let chunk = await read()
      buffer += chunk
      isAtEnd = chunk.isEmpty
    }
  }

  private func text(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }

  private func read() async -> [UInt8] {
    await withCheckedContinuation { continuation in
      queue.async { [descriptor] in
        continuation.resume(returning: LineReader.read(descriptor))
      }
    }
  }

  /// Waits for bytes; returns an empty array at the end of the input or after an error.
  static func read(_ descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, &bytes, bytes.count)
      #elseif canImport(Darwin)
        let count = Darwin.read(descriptor, &bytes, bytes.count)
      #endif
      if count >= 0 { return Array(bytes.prefix(count)) }
      if errno != EINTR { return [] }
    }
  }
}

/// The process's standard input.
enum StandardInput {
  static let descriptor: Int32 = STDIN_FILENO

  /// Whether the input is a terminal.
  static var isTerminal: Bool { isatty(descriptor) == 1 }
}
