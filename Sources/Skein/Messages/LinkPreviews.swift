#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Adds a preview of its first link to each text message.
///
/// No previews are made unless the app adds this participant, with its own fetcher. The sender's device
/// creates the preview, which is part of the message. The receiving device fetches nothing, so no page learns
/// who received its address, where and when.
///
/// ```swift
/// options.sendParticipants = [LinkPreviews { url in try await pages.preview(of: url) }]
/// ```
///
/// 1. The message is in the list while its preview is created, and is sent without a preview if the fetcher
///    throws, finds nothing or takes too long. A message composed without a network is also sent without one.
/// 2. A text that already has a preview keeps it. Edits pass no participant: an edited text has only the
///    preview that the app gives it.
/// 3. The previews of one conversation's messages are created one after the other.
public struct LinkPreviews: SendParticipant {
  /// How long a message waits for its preview.
  public let preparationTimeout: Duration
  private let fetch: @Sendable (URL) async throws -> LinkPreview?

  /// Makes previews with an app's own fetcher.
  ///
  /// - Parameters:
  ///   - timeout: how long a message waits for its preview before it is sent without. 5 s by default.
  ///   - fetch: reads the page at an http or https address, and returns nil if there is nothing to show. Do
  ///     not trust the page: read no more of it than needed, and follow no redirect to an address that only
  ///     this device can reach. The fetcher may be called again after a crash, and is cancelled when the
  ///     message no longer waits for it. The address in its result is ignored: the preview has the address
  ///     from the text.
  public init(
    timeout: Duration = .seconds(5), fetch: @escaping @Sendable (URL) async throws -> LinkPreview?
  ) {
    preparationTimeout = timeout
    self.fetch = fetch
  }

  /// A message is sent even without its preview.
  public var isPreparationOptional: Bool { true }

  /// Whether the message is a text with a link and without a preview.
  public func needsPreparation(_ draft: MessageDraft) -> Bool { Self.linkToPreview(in: draft) != nil }

  /// Adds the preview to the text.
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
