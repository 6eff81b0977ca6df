import Testing

@testable import SkeinSockets

@Suite("An outbox")
struct OutboxTests {
  @Test("A message leaves in fragments, the first and the last marked")
  func fragments() {
    var outbox = Outbox()
    outbox.add(WebSocketMessage(text: "abcde"))
    outbox.add(WebSocketMessage(binary: []))
    #expect(outbox.next(upTo: 2).map { [$0.isFirst, $0.isLast] } == [true, false])
    #expect(outbox.next(upTo: 2).map { Array($0.bytes) } == Array("cd".utf8))
    #expect(outbox.next(upTo: 2).map { [$0.isFirst, $0.isLast] } == [false, true])
    let empty = outbox.next(upTo: 2)
    #expect(empty?.kind == .binary)
    #expect(empty?.bytes.isEmpty == true)
    #expect(empty.map { [$0.isFirst, $0.isLast] } == [true, true])
    #expect(outbox.next(upTo: 2) == nil)
    #expect(outbox.isEmpty)
    #expect(outbox.size == 0)
  }

  @Test("It has room below its high mark, and is low below its low mark")
  func marks() {
    var outbox = Outbox(highMark: 1000, lowMark: 500)
    #expect(outbox.hasRoom)
    outbox.add(WebSocketMessage(binary: [UInt8](repeating: 0, count: 600)))
    #expect(outbox.hasRoom)
    #expect(!outbox.isLow)
    outbox.add(WebSocketMessage(binary: [UInt8](repeating: 0, count: 400)))
    #expect(!outbox.hasRoom)
    _ = outbox.next(upTo: 1000)
    #expect(outbox.isLow)
  }
}
