import Dispatch
import Skein
import SkeinCards

// Plugins that fail, for `skein pages --faulty`.

/// A kind whose plugin throws.
struct Throwing: MessageContent {
  static let kind: MessageKind = "com.example.throwing"
  var displayedText: String { "a message whose plugin throws" }
}

/// A kind whose plugin never returns.
struct Hanging: MessageContent {
  static let kind: MessageKind = "com.example.hanging"
  var displayedText: String { "a message whose plugin hangs" }
}

/// A kind whose plugin sends without end.
struct Flooding: MessageContent {
  static let kind: MessageKind = "com.example.flooding"
  var displayedText: String { "a message whose plugin floods the chat" }
}

final class ThrowingPlugin: MessageCardPlugin {
  static let business = "throwing"
  static let kinds: [MessageKind] = [Throwing.kind]
  init(_ context: MessageCardContext) {}

  func components(of message: ChatMessage) throws -> [any CardComponent] {
    throw UsageError("It has not been written to the end.")
  }
}

final class HangingPlugin: MessageCardPlugin {
  static let business = "hanging"
  static let kinds: [MessageKind] = [Hanging.kind]
  private let never = DispatchSemaphore(value: 0)
  init(_ context: MessageCardContext) {}

  func components(of message: ChatMessage) -> [any CardComponent] {
    never.wait()
    return []
  }
}

final class FloodingPlugin: MessageCardPlugin {
  static let business = "flooding"
  static let kinds: [MessageKind] = [Flooding.kind]
  private let flood: Task<Void, any Error>

  init(_ context: MessageCardContext) {
    flood = Task { while true { try await context.send(TextContent("flood")) } }
  }

  deinit { flood.cancel() }

  func components(of message: ChatMessage) -> [any CardComponent] {
    [CardText(message.content.displayedText)]
  }
}

extension KindRegistry {
  mutating func registerFaulty() {
    register(Throwing.self)
    register(Hanging.self)
    register(Flooding.self)
  }
}

extension CardRegistry {
  mutating func registerFaulty() {
    register(ThrowingPlugin.self)
    register(HangingPlugin.self)
    register(FloodingPlugin.self)
  }
}
