public import Skein
public import SkeinCards

/// What components are drawn with on a web page.
public struct HTMLSurface: Sendable {
  private let files: ServedFiles

  init(_ files: ServedFiles) { self.files = files }

  /// Where the page gets an attachment's file.
  public func path(of attachment: MessageAttachment) -> FilePath { files.path(of: attachment) }

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
