public import Skein
public import SkeinCards
import Synchronization

/// The means by which the components of one card draw themselves on a web page.
public struct HTMLSurface: Sendable {
  private let files: ServedFiles
  private let message: ChatMessage
  private let drawn = Counter()

  /// Counts the drawn files of the card.
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

  /// The path of an attachment's file. A local file is served only for an unsent message of this account,
  /// since a received message could refer to any local file.
  public func path(of attachment: MessageAttachment) -> FilePath {
    if case .local = attachment, !message.isOwn || message.status == .sent { return .nowhere }
    let place = ServedFiles.Place(message: message.id, edited: message.edited, index: drawn.next())
    return files.path(of: attachment, at: place)
  }

  /// A button that performs an action of a component.
  public func button(_ action: CardAction, of component: ComponentID) -> HTML {
    button(action, of: component) { HTML(action.title) }
  }

  /// A button that performs an action of a component, with content of its own.
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

  /// The HTML of an ``HTMLComponent``. For any other component, its text with a button for each action of the
  /// component and of the components that it contains.
  public func html(of component: any CardComponent) -> HTML {
    if let component = component as? any HTMLComponent { return component.html(on: self) }
    return HTML(.div, [.class("fallback")]) {
      HTML(.p, [.ownDirection]) { HTML(component.displayedText) }
      HTML(buttons(of: component))
    }
  }

  private func buttons(of component: any CardComponent) -> [HTML] {
    component.actions.map { button($0, of: component.id) } + component.components.flatMap { buttons(of: $0) }
  }
}
