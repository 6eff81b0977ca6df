import Dispatch
import Skein
import Synchronization

/// One business at work in one chat. It makes its cards on a queue of its own, so that it holds up nobody where it hangs.
final class CardBusiness: Sendable {
  let name: String
  let allowance = SendAllowance()
  private let queue: DispatchQueue
  private let state = Mutex(State())

  private struct State {
    var plugin: (any MessageCardPlugin)?
    /// The messages whose cards it owes while it hangs; nil while it does not.
    var owed: Set<LocalMessageID>?
  }
  private typealias Made = Result<[any CardComponent], any Error>
  private final class Answer: Sendable { let made = Mutex<Made?>(nil) }

  init(_ name: String) {
    self.name = name
    queue = DispatchQueue(label: "skein.cards.\(name)", qos: .userInteractive)
  }

  /// Its plugin; nil before the first card, and where it has none.
  var plugin: (any MessageCardPlugin)? { state.withLock { $0.plugin } }

  /// Its plugin, begun with the first card. Called on its queue alone, so that it begins once.
  func plugin(_ begin: () -> any MessageCardPlugin) -> any MessageCardPlugin {
    if let plugin { return plugin }
    let plugin = begin()
    state.withLock { $0.plugin = plugin }
    return plugin
  }

  /// What it makes of a message.
  ///
  /// - Parameter recovered: told which cards it owes when it has come to an end after all.
  /// - Throws: ``Hang`` where it has not answered in time, at once while it hangs already; what it throws itself.
  func components(
    of message: LocalMessageID, within patience: Duration,
    _ make: @escaping @Sendable () throws -> [any CardComponent],
    recovered: @escaping @Sendable (Set<LocalMessageID>) -> Void
  ) throws -> [any CardComponent] {
    let isHanging = state.withLock { $0.owed?.insert(message) != nil }
    if isHanging { throw Hang(isNew: false) }
    let (answer, rings) = (Answer(), DispatchSemaphore(value: 0))
    queue.async { [self] in
      let made = Made(catching: make)
      // One lock for the answer and for who has given up on it: none is both given and owed.
      let owed = state.withLock { state in
        answer.made.withLock { $0 = made }
        defer { state.owed = nil }
        return state.owed
      }
      rings.signal()
      if let owed { recovered(owed) }
    }
    _ = rings.wait(timeout: .now() + patience.seconds)
    let made = state.withLock { state in
      let made = answer.made.withLock { $0 }
      if made == nil { state.owed = (state.owed ?? []).union([message]) }
      return made
    }
    guard let made else { throw Hang(isNew: true) }
    return try made.get()
  }

  /// It has not said in time what a card is made of.
  struct Hang: Error {
    /// Whether it was only now that somebody waited for it.
    let isNew: Bool
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
