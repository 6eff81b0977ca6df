import Foundation
import Skein
import Testing

@Suite("A published state")
struct StatePublisherTests {
  @Test("A listener ends with the latest value, whichever thread published it")
  func order() async {
    for _ in 0..<2_000 {
      let publisher = StatePublisher(0)
      let updates = publisher.updates
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for value in 0..<25 { publisher.publish(1 + value * 4 + thread) }
      }
      let latest = publisher.value
      publisher.close()
      var last = -1
      for await value in updates { last = value }
      #expect(last == latest)
    }
  }

  @Test("A listener can be cancelled while a value is published", .timeLimit(.minutes(2)))
  func cancellation() async {
    for _ in 0..<2_000 {
      let publisher = StatePublisher(0)
      let listening = Task { for await _ in publisher.updates {} }
      let publishing = Task.detached { for value in 1...20 { publisher.publish(value) } }
      await Task.yield()
      listening.cancel()
      await listening.value
      await publishing.value
    }
  }
}
