public import Skein
public import SkeinCards
public import SkeinWeb
import Synchronization

// A card that changes by itself: an offer that runs out. And one that opens a page of the app: its invitation to look.

/// Something that is to be had until a moment.
public struct Offer: MessageContent {
  /// Its name on the wire.
  public static let kind: MessageKind = "com.example.offer"
  /// What is offered.
  public var title: String
  /// When it is over, by the server's clock.
  public var ends: Timestamp

  /// Offers something.
  public init(_ title: String, until ends: Timestamp) { (self.title, self.ends) = (title, ends) }

  /// The title, for previews and alerts.
  public var displayedText: String { "🏷 \(title)" }
  /// A search finds it by its title.
  public var searchableText: String? { title }
}

/// An offer as it stands now.
public struct OfferComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID = "offer"
  /// What is offered.
  public let offer: Offer
  /// Whether it is too late.
  public let isOver: Bool

  /// The title, and that it is over.
  public var displayedText: String { offer.displayedText + (isOver ? " (ended)" : "") }
  /// To look at it, as long as it can be had.
  public var actions: [CardAction] {
    [CardAction("look", title: "Have a look", isEnabled: !isOver, opening: "offer")]
  }
}

extension OfferComponent: HTMLComponent {
  /// The title, until when, and a button.
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

/// The business of offers in one chat: draws each anew when it ends.
public final class OfferPlugin: MessageCardPlugin {
  /// Its name in lists of problems.
  public static let business = "offers"
  /// Offers.
  public static let kinds: [MessageKind] = [Offer.kind]
  private let context: MessageCardContext
  /// The offers that are waited for, each once.
  private let waiting = Mutex<[LocalMessageID: Task<Void, Never>]>([:])

  /// Begins its work in one chat.
  public init(_ context: MessageCardContext) { self.context = context }

  deinit { for task in waiting.withLock({ $0.values.map(\.self) }) { task.cancel() } }

  /// The offer; its end is waited for from the first time on that somebody sees it.
  public func components(of message: ChatMessage) -> [any CardComponent] {
    guard let offer = message.content.as(Offer.self) else { return [] }
    let now = context.now
    guard offer.ends > now else { return [OfferComponent(offer: offer, isOver: true)] }
    // What a message says may be any moment: one that is far away is looked at again after a day.
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
        // The server's clock may be a little behind.
        _ = self?.waiting.withLock { $0.removeValue(forKey: message) }
        context.reload([message])
      }
    }
  }
}
