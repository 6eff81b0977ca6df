import Testing

@testable import SkeinSockets

@Suite("Frame queue")
struct FrameQueueTests {
  @Test("A message is split into fragments, and the first and the last fragment are marked")
  func fragments() {
    var queue = FrameQueue()
    queue.add(WebSocketMessage(text: "abcde"))
    queue.add(WebSocketMessage(binary: []))
    #expect(queue.next(upTo: 2).map { [$0.isFirst, $0.isLast] } == [true, false])
    #expect(queue.next(upTo: 2).map { Array($0.bytes) } == Array("cd".utf8))
    #expect(queue.next(upTo: 2).map { [$0.isFirst, $0.isLast] } == [false, true])
    let empty = queue.next(upTo: 2)
    #expect(empty?.kind == .binary)
    #expect(empty?.bytes.isEmpty == true)
    #expect(empty.map { [$0.isFirst, $0.isLast] } == [true, true])
    #expect(queue.next(upTo: 2) == nil)
    #expect(queue.isEmpty)
    #expect(queue.size == 0)
  }

  @Test("The queue has room below its high mark, and is low at or below its low mark")
  func marks() {
    var queue = FrameQueue(highMark: 1000, lowMark: 500)
    #expect(queue.hasRoom)
    queue.add(WebSocketMessage(binary: [UInt8](repeating: 0, count: 600)))
    #expect(queue.hasRoom)
    #expect(!queue.isLow)
    queue.add(WebSocketMessage(binary: [UInt8](repeating: 0, count: 400)))
    #expect(!queue.hasRoom)
    _ = queue.next(upTo: 1000)
    #expect(queue.isLow)
  }
}
