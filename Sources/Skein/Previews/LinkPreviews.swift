#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Has texts take along what their first link leads to.
///
/// It is off unless an app asks for it, with a fetcher of its own. The sender's device makes the preview and the
/// message brings it; on receipt nothing is fetched, so that no page learns who reads its address, where and when.
///
/// ```swift
/// options.sendParticipants = [LinkPreviews { url in try await pages.preview(of: url) }]
/// ```
///
/// 1. The message is in the list while its preview is made, and goes without one where the fetcher throws, finds
///    nothing or takes too long. What is written without a network goes without, too.
/// 2. A text that has a preview already keeps it. Edits go past no participant: they have what the app gives them.
/// 3. Messages of one conversation have theirs made one after the other.
public struct LinkPreviews: SendParticipant {
  /// How long a message waits for its preview.
  public let preparationTimeout: Duration
  private let fetch: @Sendable (URL) async throws -> LinkPreview?

  /// Makes previews with an app's own fetcher.
  ///
  /// - Parameters:
  ///   - timeout: how long a message waits for its preview before it goes without. 5 s by default.
  ///   - fetch: reads the page at an http or https address, and gives nil where it has nothing to show. The page is a
  ///     stranger's: read no more of it than needed, and follow no redirect to where only this device can get. It may
  ///     be asked again after a crash, and is cancelled when it is not waited for any more. The address in its answer
  ///     does not count: the preview gets that of the text.
  public init(
    timeout: Duration = .seconds(5), fetch: @escaping @Sendable (URL) async throws -> LinkPreview?
  ) {
    preparationTimeout = timeout
    self.fetch = fetch
  }

  /// A message goes, with or without its preview.
  public var isPreparationOptional: Bool { true }

  /// Whether it is a text with a link and without a preview.
  public func needsPreparation(_ draft: MessageDraft) -> Bool { Self.linkToPreview(in: draft) != nil }

  /// Puts the preview into the text.
  ///
  /// - Throws: what the fetcher throws; the message then goes without.
  public func prepare(_ draft: inout MessageDraft) async throws {
    guard let link = Self.linkToPreview(in: draft), var content = draft.content.as(TextContent.self),
      let found = try await fetch(link), !found.title.isEmpty
    else { return }
    content.preview = LinkPreview(url: link, title: found.title, summary: found.summary, site: found.site)
    draft.content = .known(content)
  }

  private static func linkToPreview(in draft: MessageDraft) -> URL? {
    guard let content = draft.content.as(TextContent.self), content.preview == nil else { return nil }
    return firstLink(in: content.text)
  }
}

/// Finding the link.
extension LinkPreviews {
  /// The link that a preview of a text is of: the first that is written with `http://` or `https://`, in any case.
  ///
  /// - Returns: nil where there is none, or where it has no host, a user or control characters in it. Nil as well where
  ///   it is longer than 2 KiB or the text than 32 KiB: no preview is to make a message too large for its server.
  public static func firstLink(in text: String) -> URL? {
    guard text.utf8.count <= longestText else { return nil }
    return addresses(in: text[...]).first { _ in true }?.url
  }

  /// All links of a text, by the same rules, with their places in it; none where the text is longer than 32 KiB.
  public static func links(in text: Substring) -> [(place: Range<String.Index>, url: URL)] {
    guard text.utf8.count <= longestText else { return [] }
    return addresses(in: text).compactMap { address in address.url.map { (address.place, $0) } }
  }

  /// What is written like a link; the address is nil where it is none that can be followed.
  private static func addresses(in text: Substring) -> some Sequence<(place: Range<String.Index>, url: URL?)>
  {
    text.split { $0.isWhitespace || separators.contains($0) }.lazy.compactMap { piece in
      // Chinese has no space before a link; round brackets separate nothing, for they may be part of one.
      let candidate = piece.drop { !($0.isASCII && $0.isLetter) }
      let start = candidate.prefix(8).lowercased()
      guard start.hasPrefix("http://") || start.hasPrefix("https://") else { return nil }
      let link = withoutPunctuation(candidate)
      return (link.startIndex..<link.endIndex, webAddress(link))
    }
  }

  private static let longestText = 32 << 10
  private static let longestLink = 2 << 10
  private static let separators = Set<Character>("<>[]{}\"`“”„‘’«»‹›「」『』《》〈〉【】〔〕（）［］｛｝，。！？、；：…")
  private static let punctuation = Set<Character>(".,;:!?'")

  /// Drops what ends the sentence, and brackets that are not opened in the piece.
  private static func withoutPunctuation(_ piece: Substring) -> Substring {
    var piece = piece
    var unopened = piece.count { $0 == ")" } - piece.count { $0 == "(" }
    while let last = piece.last {
      if last == ")", unopened > 0 {
        unopened -= 1
      } else if !punctuation.contains(last) {
        break
      }
      piece.removeLast()
    }
    return piece
  }

  private static func webAddress(_ piece: Substring) -> URL? {
    guard piece.utf8.count <= longestLink,
      !piece.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
      let url = URL(string: String(piece)), url.isWebAddress
    else { return nil }
    return url
  }
}
