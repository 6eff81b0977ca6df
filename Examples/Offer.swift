public import Skein
public import SkeinCards
public import SkeinWeb
import Synchronization

// An offer that ends at some time. Its card changes by itself when the offer ends, and has a
// button that opens a page of the app.

/// An offer that ends at some time.
public struct Offer: MessageContent {
  /// The kind's name on the wire.
  public static let kind: MessageKind = "com.example.offer"
  /// The offered thing.
  public var title: String
  /// The end, by the server's clock.
  public var ends: Timestamp

  /// Creates an offer.
  public init(_ title: String, until ends: Timestamp) { (self.title, self.ends) = (title, ends) }

  /// The title, for previews and alerts.
  public var displayedText: String { "🏷 \(title)" }
  /// The title, for searches.
  public var searchableText: String? { title }
}

/// An offer, and whether it has ended.
public struct OfferComponent: CardComponent {
  /// The component's id within the card.
  public let id: ComponentID = "offer"
  /// The offered thing.
  public let offer: Offer
  /// Whether the offer has ended.
  public let isOver: Bool

  /// The title, and whether the offer has ended.
  public var displayedText: String { offer.displayedText + (isOver ? " (ended)" : "") }
  /// An action that opens the offer's page, enabled until the offer ends.
  public var actions: [CardAction] {
    [CardAction("look", title: "Have a look", isEnabled: !isOver, opening: "offer")]
  }
}

extension OfferComponent: HTMLComponent {
  /// The title, the end, and a button.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.div, [.class("column")]) {
      HTML(.strong, [.ownDirection]) { HTML(offer.title) }
      if isOver {
        HTML(.span, [.class("size")]) { HTML("This offer has ended.") }
      } else {
        HTML(.span, [.class("size")]) {
          HTML("until ")
          HTML(.time, [.data("time", String(offer.ends.rawValue)), .data("form", "full")])
        }
      }
      for action in actions { surface.button(action, of: id) }
    }
  }
}

/// Draws the offers of one chat, and draws each offer again when it ends.
public final class OfferPlugin: MessageCardPlugin {
  /// The name in lists of problems.
  public static let business = "offers"
  /// Offers.
  public static let kinds: [MessageKind] = [Offer.kind]
  private let context: MessageCardContext
  /// A task for each offer whose end is awaited.
  private let waiting = Mutex<[LocalMessageID: Task<Void, Never>]>([:])

  /// Creates the plugin of one chat.
  public init(_ context: MessageCardContext) { self.context = context }

  deinit { for task in waiting.withLock({ $0.values.map(\.self) }) { task.cancel() } }

  /// The offer. Drawing an offer that has not ended starts a task that waits for the end.
  public func components(of message: ChatMessage) -> [any CardComponent] {
    guard let offer = message.content.as(Offer.self) else { return [] }
    let now = context.now
    guard offer.ends > now else { return [OfferComponent(offer: offer, isOver: true)] }
    // A message may contain any time, even a very distant one. So a task waits at most for a day.
    let left = offer.ends.rawValue.subtractingReportingOverflow(now.rawValue)
    let day: Int64 = 86_400_000
    wait(milliseconds: left.overflow ? day : min(left.partialValue, day), for: message.id)
    return [OfferComponent(offer: offer, isOver: false)]
  }

  private func wait(milliseconds: Int64, for message: LocalMessageID) {
    waiting.withLock { waiting in
      guard waiting[message] == nil else { return }
      waiting[message] = Task { [context, weak self] in
        guard (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil else { return }
        // If the offer has not ended yet by the server's clock, the reload starts a new task.
        _ = self?.waiting.withLock { $0.removeValue(forKey: message) }
        context.reload([message])
      }
    }
  }
}
