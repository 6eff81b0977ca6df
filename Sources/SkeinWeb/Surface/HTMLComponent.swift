public import SkeinCards

/// A component that can be drawn on a web page. One that is none of these is drawn as its text, with buttons for what can be
/// done with it.
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
  /// What a browser shows; the surface gives paths to files, and buttons.
  func html(on surface: HTMLSurface) -> HTML
}
