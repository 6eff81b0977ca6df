#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Adds a preview of the first link to each text message that contains a link.
///
/// Previews are made only if the app adds this participant, with a fetcher of its own. The sender's device creates the
/// preview, which is part of the message. The receiving device fetches nothing, so the linked page does not learn who
/// received the link.
///
/// ```swift
/// options.sendParticipants = [LinkPreviews { url in try await pages.preview(of: url) }]
/// ```
///
/// 1. The message is in the list while its preview is created. The message is sent without a preview if the fetcher
///    throws, finds nothing or takes too long. A message composed without a network may therefore have no preview.
/// 2. A text that already has a preview keeps it. Edits are not passed to participants: an edited text has a preview
///    only if the app adds the preview.
/// 3. The previews of one conversation's messages are created one after the other.
public struct LinkPreviews: SendParticipant {
  /// How long a message waits for its preview.
  public let preparationTimeout: Duration
  private let fetch: @Sendable (URL) async throws -> LinkPreview?

  /// Makes previews with an app's own fetcher.
  ///
  /// - Parameters:
  ///   - timeout: how long a message waits for its preview before it is sent without a preview. 5 s by default.
  ///   - fetch: loads the page at an http or https address, and returns nil if there is nothing to show. Do
  ///     not trust the page: load no more of it than needed, and follow no redirect to an address that only
  ///     this device can reach. The fetcher may be called again after a crash, and is cancelled when the
  ///     message no longer waits for the preview. A result with an empty title counts as nil. The address in
  ///     the result is ignored: the preview has the address from the text.
  public init(
    timeout: Duration = .seconds(5), fetch: @escaping @Sendable (URL) async throws -> LinkPreview?
  ) {
    preparationTimeout = timeout
    self.fetch = fetch
  }

  /// True: a message is sent even without a preview.
  public var isPreparationOptional: Bool { true }

  /// Whether the message is a text with a link and without a preview.
  public func needsPreparation(_ draft: MessageDraft) -> Bool { Self.linkToPreview(in: draft) != nil }

  /// Adds the preview to the text, unless the fetcher finds nothing.
  ///
  /// - Throws: the fetcher's error; the message is then sent without a preview.
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
