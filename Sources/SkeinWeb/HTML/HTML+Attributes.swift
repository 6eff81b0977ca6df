#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension HTML {
  /// What an element says of itself. None runs anything: there are no styles, no event handlers and no addresses but
  /// ``link(_:)`` and ``source(_:)``.
  public struct Attribute: Sendable, Hashable {
    let markup: String

    private init(_ name: String, _ value: String) { markup = " \(name)=\"\(HTML.escaped(value))\"" }
    private init(flag name: String, isSet: Bool) { markup = isSet ? " \(name)" : "" }

    /// Names of the page's style sheet.
    public static func `class`(_ names: String...) -> Self {
      Self("class", names.filter { !$0.isEmpty }.joined(separator: " "))
    }
    /// What the page's script knows it by: `data-name`.
    public static func data(_ name: StaticString, _ value: String) -> Self { Self("data-\(name)", value) }
    /// What a screen reader is told: `aria-name`.
    public static func aria(_ name: StaticString, _ value: String) -> Self { Self("aria-\(name)", value) }
    /// What it is for a screen reader.
    public static func role(_ name: String) -> Self { Self("role", name) }
    /// What it says when a pointer rests on it.
    public static func title(_ text: String) -> Self { Self("title", text) }
    /// What a picture shows, for who can't see it.
    public static func alternative(_ text: String) -> Self { Self("alt", text) }
    /// What an input, a meter or a bar is at.
    public static func value(_ text: String) -> Self { Self("value", text) }
    /// The most that a meter or a bar can be at.
    public static func maximum(_ text: String) -> Self { Self("max", text) }
    /// A moment, for machines.
    public static func moment(_ text: String) -> Self { Self("datetime", text) }
    /// In pixels; the page keeps the place free before a picture is there.
    public static func size(width: Int, height: Int) -> Self {
      Self(joining: Self("width", String(width)), Self("height", String(height)))
    }
    /// The order of writing is the text's own.
    public static let ownDirection = Self("dir", "auto")
    /// Can be focused by the script, not by the tab key.
    public static let focusable = Self("tabindex", "-1")
    /// A button that sends no form.
    public static let plainButton = Self("type", "button")
    /// A film or a recording with the browser's own buttons.
    public static let controls = Self(flag: "controls", isSet: true)
    /// Nothing is fetched before somebody plays it.
    public static let noPreload = Self("preload", "none")
    /// Fetched once it is about to be seen.
    public static let lazy = Self("loading", "lazy")
    /// Whether nothing can be done with it now.
    public static func disabled(_ isDisabled: Bool) -> Self { Self(flag: "disabled", isSet: isDisabled) }
    /// A page that opens in a window of its own and is not told where it was opened from. An address that is not of the
    /// web, such as `javascript:`, leads nowhere.
    public static func link(_ url: URL) -> Self {
      guard ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil else {
        return Self(flag: "", isSet: false)
      }
      return Self(
        joining: Self("href", url.absoluteString), Self("target", "_blank"),
        Self("rel", "noopener noreferrer nofollow"))
    }
    /// A file of this front end, to be shown.
    public static func source(_ file: FilePath) -> Self { Self("src", file.path) }
    /// A file of this front end, to be shown before a film plays.
    public static func poster(_ file: FilePath) -> Self { Self("poster", file.path) }
    /// A file of this front end, to be saved under a name.
    public static func save(_ file: FilePath, as name: String) -> Self {
      Self(joining: Self("href", file.path), Self("download", name))
    }

    private init(joining parts: Self...) { markup = parts.map(\.markup).joined() }
  }
}

/// Where this front end serves a file of a message.
public struct FilePath: Sendable, Hashable {
  let path: String
  init(_ number: Int) { path = "file/\(number)" }
  /// Where no file is.
  static let nowhere = FilePath(-1)
}
