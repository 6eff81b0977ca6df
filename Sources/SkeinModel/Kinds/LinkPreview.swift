#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a link in a text leads to, in the words of the page there.
///
/// Its sender made it, and it travels inside the message: whoever receives it fetches nothing, and has no more than the
/// sender's word for it. It holds a page's texts in short, so that no page makes a message large.
public struct LinkPreview: Sendable, Hashable, Codable {
  /// The address that the text has.
  public let url: URL
  /// What the page is called.
  public let title: String
  /// What it is about, where it says so.
  public let summary: String?
  /// What the site is called that it belongs to, where it says so.
  public let site: String?

  /// Describes a page. Texts lose the white space around them and are cut, between characters, to as many Unicode
  /// scalars as the limits say; where nothing is left, there is none.
  ///
  /// - Parameters:
  ///   - title: 200 at most; a preview without one is not sent, for there is nothing to show.
  ///   - summary: 500 at most.
  ///   - site: 100 at most.
  public init(url: URL, title: String, summary: String? = nil, site: String? = nil) {
    self.url = url
    self.title = Self.shortened(title, to: 200) ?? ""
    self.summary = summary.flatMap { Self.shortened($0, to: 500) }
    self.site = site.flatMap { Self.shortened($0, to: 100) }
  }

  /// Reads what a stranger may have sent, within the same limits.
  ///
  /// - Throws: `DecodingError` where it has no title, or leads anywhere but to an http or https address.
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

  /// Scalars are counted, since one character may have any number of them.
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
  /// Whether it leads where the first link of a text does; one that leads elsewhere is a trap.
  package func isOfFirstLink(in text: String) -> Bool { url == LinkPreview.firstLink(in: text) }
}

extension URL {
  /// Whether it names a host on the web, and no user: what looks like a host may be one.
  package var isWebAddress: Bool {
    ["http", "https"].contains(scheme?.lowercased()) && host()?.isEmpty == false && user() == nil
      && password() == nil
  }
}
