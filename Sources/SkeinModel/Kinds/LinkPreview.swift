#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A preview of the page that a link in a text leads to.
///
/// The sender creates the preview and sends it inside the message. The receivers fetch nothing, and have to trust the
/// sender. The page's texts are shortened, so that no page makes a message large.
public struct LinkPreview: Sendable, Hashable, Codable {
  /// The link in the text.
  public let url: URL
  /// The page's title.
  public let title: String
  /// The page's summary, if the page has one.
  public let summary: String?
  /// The name of the site, if the page contains one.
  public let site: String?

  /// Describes a page. White space around each text is removed, and a text over its limit is cut between two
  /// characters. An empty summary or site becomes nil.
  ///
  /// - Parameters:
  ///   - title: at most 200 Unicode scalars. A preview with an empty title is dropped when the message is decoded.
  ///   - summary: at most 500 Unicode scalars.
  ///   - site: at most 100 Unicode scalars.
  public init(url: URL, title: String, summary: String? = nil, site: String? = nil) {
    self.url = url
    self.title = Self.shortened(title, to: 200) ?? ""
    self.summary = summary.flatMap { Self.shortened($0, to: 500) }
    self.site = site.flatMap { Self.shortened($0, to: 100) }
  }

  /// Decodes a preview from any sender, and shortens its texts to the same limits.
  ///
  /// - Throws: `DecodingError` if the title is missing or empty, or if the URL is not a web address. A web
  ///   address starts with `http` or `https`, has a host, and contains neither a user nor a password.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      url: try fields.decode(URL.self, forKey: .url),
      title: try fields.decode(String.self, forKey: .title),
      summary: try fields.decodeIfPresent(String.self, forKey: .summary),
      site: try fields.decodeIfPresent(String.self, forKey: .site))
    guard url.isWebAddress, !title.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .url, in: fields, debugDescription: "A preview has a title and a web address.")
    }
  }

  private enum CodingKeys: String, CodingKey { case url, title, summary, site }

  /// Shortens a text to a number of scalars. The limit counts scalars, since one character may consist of any
  /// number of scalars. Nil if nothing is left.
  private static func shortened(_ text: String, to limit: Int) -> String? {
    var room = limit
    let start = text.drop { $0.isWhitespace }.prefix { character in
      room -= character.unicodeScalars.count
      return room >= 0
    }
    return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) }
  }
}

extension LinkPreview {
  /// Whether the preview's URL is the first link of a text; any other URL could deceive receivers.
  package func isOfFirstLink(in text: String) -> Bool { url == LinkPreview.firstLink(in: text) }
}

extension URL {
  /// Whether the URL is an http or https address with a host, and without a user or a password: a user name
  /// can be made to look like a host.
  package var isWebAddress: Bool {
    ["http", "https"].contains(scheme?.lowercased()) && host()?.isEmpty == false && user() == nil
      && password() == nil
  }
}
