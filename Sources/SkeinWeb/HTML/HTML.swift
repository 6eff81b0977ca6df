/// HTML in which a text can't become markup.
///
/// An `HTML` value can't be made from a string of markup: texts are escaped, elements and attributes are
/// those of ``Tag`` and ``Attribute``, and links have an `http` or `https` address.
///
/// ```swift
/// HTML(.p, [.class("question")]) {
///   HTML(poll.question)
///   HTML(.a, [.link(poll.page)]) { HTML("More") }
/// }
/// ```
public struct HTML: Sendable, Hashable {
  /// The markup for a browser.
  public let markup: String

  private init(markup: String) { self.markup = markup }

  /// A text.
  public init(_ text: String) { markup = HTML.escaped(text) }

  /// An element with its content.
  public init(_ tag: Tag, _ attributes: [Attribute] = [], @Builder _ content: () -> HTML = { .empty }) {
    let start = "<\(tag.name)\(attributes.map(\.markup).joined())>"
    markup = tag.isVoid ? start : "\(start)\(content().markup)</\(tag.name)>"
  }

  /// Parts, one after the other.
  public init(_ parts: [HTML]) { markup = parts.map(\.markup).joined() }

  /// Nothing.
  public static let empty = HTML(markup: "")

  static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      default:
        // Browsers differ in how they treat control characters.
        let isControl = scalar.properties.generalCategory == .control
        escaped.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
      }
    }
    return escaped
  }
}

extension HTML {
  /// An element's name.
  public struct Tag: Sendable, Hashable {
    let name: String
    /// Whether the element has no content.
    let isVoid: Bool

    private init(_ name: String, isVoid: Bool = false) {
      self.name = name
      self.isVoid = isVoid
    }

    public static let a = Tag("a"), audio = Tag("audio"), blockquote = Tag("blockquote")
    public static let br = Tag("br", isVoid: true), button = Tag("button"), code = Tag("code")
    public static let dd = Tag("dd"), div = Tag("div"), dl = Tag("dl"), dt = Tag("dt"), em = Tag("em")
    public static let figcaption = Tag("figcaption"), figure = Tag("figure"), h1 = Tag("h1"), h2 = Tag("h2")
    public static let h3 = Tag("h3"), img = Tag("img", isVoid: true), input = Tag("input", isVoid: true),
      label = Tag("label")
    public static let li = Tag("li"), meter = Tag("meter"), ol = Tag("ol"), p = Tag("p"), pre = Tag("pre")
    public static let progress = Tag("progress"), span = Tag("span"), strong = Tag("strong")
    public static let table = Tag("table"), tbody = Tag("tbody"), td = Tag("td"), th = Tag("th"),
      thead = Tag("thead")
    public static let time = Tag("time"), tr = Tag("tr"), ul = Tag("ul"), video = Tag("video")
  }

  /// Builds the content of an element.
  @resultBuilder
  public enum Builder {
    /// All parts, one after the other.
    public static func buildBlock(_ parts: HTML...) -> HTML { HTML(parts) }
    /// A part that may be absent.
    public static func buildOptional(_ part: HTML?) -> HTML { part ?? .empty }
    /// The first branch.
    public static func buildEither(first: HTML) -> HTML { first }
    /// The second branch.
    public static func buildEither(second: HTML) -> HTML { second }
    /// The parts of a loop.
    public static func buildArray(_ parts: [HTML]) -> HTML { HTML(parts) }
  }
}
