#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension HTML {
  /// An attribute of an element. No attribute can run a script: there are no styles and no event handlers.
  /// The only addresses are ``link(_:)`` and the files of this front end.
  public struct Attribute: Sendable, Hashable {
    let markup: String

    private init(_ name: String, _ value: String) { markup = " \(name)=\"\(HTML.escaped(value))\"" }
    private init(flag name: String, isSet: Bool) { markup = isSet ? " \(name)" : "" }

    /// Classes of the page's style sheet.
    public static func `class`(_ names: String...) -> Self {
      Self("class", names.filter { !$0.isEmpty }.joined(separator: " "))
    }
    /// A value for the page's script: `data-name`.
    public static func data(_ name: StaticString, _ value: String) -> Self { Self("data-\(name)", value) }
    /// A value for screen readers: `aria-name`.
    public static func aria(_ name: StaticString, _ value: String) -> Self { Self("aria-\(name)", value) }
    /// The role for screen readers.
    public static func role(_ name: String) -> Self { Self("role", name) }
    /// The tooltip.
    public static func title(_ text: String) -> Self { Self("title", text) }
    /// The description of a picture.
    public static func alternative(_ text: String) -> Self { Self("alt", text) }
    /// The value of an input, a meter or a progress bar.
    public static func value(_ text: String) -> Self { Self("value", text) }
    /// The maximum of a meter or a progress bar.
    public static func maximum(_ text: String) -> Self { Self("max", text) }
    /// A machine-readable time.
    public static func moment(_ text: String) -> Self { Self("datetime", text) }
    /// The size in pixels; the page reserves the space before the picture is loaded.
    public static func size(width: Int, height: Int) -> Self {
      Self(joining: Self("width", String(width)), Self("height", String(height)))
    }
    /// The text's own writing direction.
    public static let ownDirection = Self("dir", "auto")
    /// Focusable by the script, not by the Tab key.
    public static let focusable = Self("tabindex", "-1")
    /// A button that submits no form.
    public static let plainButton = Self("type", "button")
    /// The browser's controls for a video or a recording.
    public static let controls = Self(flag: "controls", isSet: true)
    /// Nothing is loaded before playback starts.
    public static let noPreload = Self("preload", "none")
    /// The picture is loaded when it is about to become visible.
    public static let lazy = Self("loading", "lazy")
    /// Whether the control is disabled.
    public static func disabled(_ isDisabled: Bool) -> Self { Self(flag: "disabled", isSet: isDisabled) }
    /// A link that opens in a new window and sends no referrer. An address is left out if it has no host, or
    /// if its scheme is not `http` or `https`.
    public static func link(_ url: URL) -> Self {
      guard ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil else {
        return Self(flag: "", isSet: false)
      }
      return Self(
        joining: Self("href", url.absoluteString), Self("target", "_blank"),
        Self("rel", "noopener noreferrer nofollow"))
    }
    /// A file of this front end to show.
    public static func source(_ file: FilePath) -> Self { Self("src", file.path) }
    /// A file of this front end to show before a video plays.
    public static func poster(_ file: FilePath) -> Self { Self("poster", file.path) }
    /// A file of this front end to save under a name.
    public static func save(_ file: FilePath, as name: String) -> Self {
      Self(joining: Self("href", file.path), Self("download", name))
    }

    private init(joining parts: Self...) { markup = parts.map(\.markup).joined() }
  }
}

/// The path under which this front end serves a file of a message.
public struct FilePath: Sendable, Hashable {
  let path: String
  init(_ number: Int) { path = "file/\(number)" }
  /// A path without a file.
  static let nowhere = FilePath(-1)
}
