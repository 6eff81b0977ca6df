import Skein
import SkeinCards

// Each kind of message needs a type of its own. Nested generic types represent binary numbers here, and each
// number has a kind.

/// A type that represents a number.
protocol TypeNumber: Sendable {
  static var value: Int { get }
}
enum Zero: TypeNumber { static var value: Int { 0 } }
enum Even<Half: TypeNumber>: TypeNumber { static var value: Int { 2 * Half.value } }
enum Odd<Half: TypeNumber>: TypeNumber { static var value: Int { 2 * Half.value + 1 } }

/// A kind of message with a plugin of its own.
struct Numbered<Number: TypeNumber>: MessageContent {
  static var kind: MessageKind { NumberedKinds.names[Number.value] }
  var text: String
  var displayedText: String { text }
}

final class NumberedPlugin<Number: TypeNumber>: MessageCardPlugin {
  static var business: String { kinds[0].rawValue }
  static var kinds: [MessageKind] { [Numbered<Number>.kind] }
  init(_ context: MessageCardContext) {}

  func components(of message: ChatMessage) -> [any CardComponent] {
    message.content.as(Numbered<Number>.self).map { [CardText($0.text)] } ?? []
  }
}

/// Many kinds of message, each with its plugin.
struct NumberedKinds {
  static let most = 256
  static let names = (0..<most).map { MessageKind(rawValue: "com.example.kind\($0)") }

  private(set) var kinds = KindRegistry.standard
  private(set) var cards = CardRegistry.standard

  init(_ count: Int) { register(Zero.self, digits: 8, count) }

  private mutating func register<Number: TypeNumber>(_: Number.Type, digits: Int, _ count: Int) {
    guard digits == 0 else {
      register(Even<Number>.self, digits: digits - 1, count)
      return register(Odd<Number>.self, digits: digits - 1, count)
    }
    guard Number.value < count else { return }
    kinds.register(Numbered<Number>.self)
    cards.register(NumberedPlugin<Number>.self)
  }
}
