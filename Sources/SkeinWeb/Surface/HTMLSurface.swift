public import Skein
public import SkeinCards
import Synchronization

/// What the components of one card are drawn with on a web page.
public struct HTMLSurface: Sendable {
  private let files: ServedFiles
  private let message: ChatMessage
  private let drawn = Counter()

  /// How many files of the card were drawn.
  private final class Counter: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
      count.withLock { count in
        defer { count += 1 }
        return count
      }
    }
  }

  init(_ files: ServedFiles, drawing message: ChatMessage) {
    self.files = files
    self.message = message
  }

  /// Where the page gets an attachment's file. A file of this device is shown in one's own message that is still to be sent, and
  /// nowhere else: a message that came may name any.
  public func path(of attachment: MessageAttachment) -> FilePath {
    if case .local = attachment, !message.isOwn || message.status == .sent { return .nowhere }
    let place = ServedFiles.Place(message: message.id, edited: message.edited, index: drawn.next())
    return files.path(of: attachment, at: place)
  }

  /// A button that has something done to the card.
  public func button(_ action: CardAction, of component: ComponentID) -> HTML {
    button(action, of: component) { HTML(action.title) }
  }

  /// A button that has something done to the card, and looks like nothing but what stands in it.
  public func button(
    _ action: CardAction, of component: ComponentID, @HTML.Builder _ content: () -> HTML
  ) -> HTML {
    HTML(
      .button,
      [
        .plainButton, .data("do", "card"), .data("action", action.name.rawValue),
        .data("component", component.rawValue), .aria("label", action.title), .disabled(!action.isEnabled),
      ] + (action.value.map { [.data("value", $0)] } ?? []), content)
  }

  /// A component as it draws itself, or its text with buttons.
  public func html(of component: any CardComponent) -> HTML {
    if let component = component as? any HTMLComponent { return component.html(on: self) }
    return HTML(.div, [.class("fallback")]) {
      HTML(.p, [.ownDirection]) { HTML(component.displayedText) }
      for action in component.actions { button(action, of: component.id) }
    }
  }
}
