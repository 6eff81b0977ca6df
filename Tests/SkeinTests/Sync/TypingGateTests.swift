import Testing

@testable import Skein

@Suite("The typing gate")
struct TypingGateTests {
  private let chat = ConversationID(rawValue: 1), other = ConversationID(rawValue: 2)

  @Test("Another user's typing ends when its end is reported, or after a while without a new report")
  func over() {
    var gate = TypingGate()
    #expect(gate.next == nil)
    gate.receivedTyping(of: "bob", in: chat, isTyping: true, at: .seconds(0))
    gate.receivedTyping(of: "carol", in: chat, isTyping: true, at: .seconds(1))
    gate.receivedTyping(of: "bob", in: other, isTyping: true, at: .seconds(2))
    #expect(gate.typing(in: chat, at: .seconds(3)) == ["bob", "carol"])
    #expect(gate.next == .seconds(6))
    gate.receivedTyping(of: "bob", in: chat, isTyping: true, at: .seconds(4))
    #expect(gate.next == .seconds(7))
    let over = gate.passed(at: .seconds(7))
    #expect(over == [chat])
    #expect(gate.typing(in: chat, at: .seconds(7)) == ["bob"])
    gate.receivedTyping(of: "bob", in: chat, isTyping: false, at: .seconds(8))
    #expect(gate.typing(in: chat, at: .seconds(8)).isEmpty)
    let last = gate.passed(at: .seconds(20))
    #expect(last == [other])
    #expect(gate.next == nil)
  }

  @Test(
    "Own typing is reported at most every four seconds in each chat, but again at once after a message is sent"
  )
  func told() {
    var gate = TypingGate()
    var told = [gate.typed(in: chat, at: .seconds(0)), gate.typed(in: chat, at: .seconds(3))]
    told += [gate.typed(in: other, at: .seconds(3)), gate.typed(in: chat, at: .seconds(4))]
    gate.sent(in: chat)
    told.append(gate.typed(in: chat, at: .seconds(5)))
    #expect(told == [true, false, true, true, true])
  }
}
