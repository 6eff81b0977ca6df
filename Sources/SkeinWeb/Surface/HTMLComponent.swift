public import SkeinCards

/// A component that can be drawn on a web page. Other components are drawn as their text, with a button for each action
/// of the component and of the components that it contains.
///
/// ```swift
/// extension PollComponent: HTMLComponent {
///   func html(on surface: HTMLSurface) -> HTML {
///     HTML(.div, [.class("poll")]) {
///       HTML(.strong) { HTML(question) }
///       for action in actions { surface.button(action, of: id) }
///     }
///   }
/// }
/// ```
public protocol HTMLComponent: CardComponent {
  /// The component as HTML. The surface makes buttons, and paths to files.
  func html(on surface: HTMLSurface) -> HTML
}
