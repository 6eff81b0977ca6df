import Foundation
import Testing

@testable import SkeinCommand

@Suite("Input is read line by line")
struct LineReaderTests {
  @Test("Lines end with LF or CRLF, and the last line needs no line break")
  func lines() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("one\r\ntwo\n\n你好".utf8))
    try pipe.fileHandleForWriting.close()
    let reader = LineReader(pipe.fileHandleForReading.fileDescriptor)
    var lines: [String] = []
    while let line = await reader.next() { lines.append(line) }
    #expect(lines == ["one", "two", "", "你好"])
    #expect(await reader.next() == nil)
  }

  @Test("A line is returned before more input arrives")
  func live() async throws {
    let pipe = Pipe()
    let reader = LineReader(pipe.fileHandleForReading.fileDescriptor)
    for number in 1...3 {
      try pipe.fileHandleForWriting.write(contentsOf: Data("line \(number)\n".utf8))
      #expect(await reader.next() == "line \(number)")
    }
  }
}
