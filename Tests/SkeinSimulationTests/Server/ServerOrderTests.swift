import Skein
import Testing

@testable import SkeinSimulation

@Suite("The order that a simulated server tells")
struct ServerOrderTests {
  private static let orders = [ServerOrder.dense, .sparse(width: 2), .sparse(width: 7), .sparse(width: 51)]

  @Test("Positions rise from message to message, and each stands for its message", arguments: orders)
  func positions(_ order: ServerOrder) {
    for number in Int64(0)...200 {
      let (position, next) = (order.position(of: number), order.position(of: number + 1))
      #expect(position < next)
      for between in position..<next { #expect(order.number(upTo: between) == number) }
    }
  }

  @Test("A page before or after any position has the messages on that side", arguments: orders)
  func anchors(_ order: ServerOrder) {
    for position in 1...order.position(of: 50) {
      let first = (1...60).first { order.position(of: $0) >= position } ?? 0
      let last = (1...60).last { order.position(of: $0) <= position } ?? 0
      #expect(order.meant(.before(Position(rawValue: position))) == .before(Position(rawValue: first)))
      #expect(order.meant(.after(Position(rawValue: position))) == .after(Position(rawValue: last)))
    }
  }
}
