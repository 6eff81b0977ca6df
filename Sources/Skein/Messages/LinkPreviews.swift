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
    return LinkPreview.firstLink(in: content.text)
  }
}
