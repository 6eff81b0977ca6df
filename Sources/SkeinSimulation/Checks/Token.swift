#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein
import Synchronization

/// A text that identifies a message in its world, also after edits.
enum Token {
  /// The text of a message after an edit.
  static func edited(_ token: String, _ number: Int) -> String { "\(token)~\(number)" }

  private static func of(_ text: TextContent) -> String { String(text.text.prefix { $0 != "~" }) }

  private struct Payload: Hashable {
    let kind: MessageKind
    let bytes: Data
  }
  /// The tokens of the latest payloads: the checks compare the same payloads on each device again and again.
  private static let known = Mutex<[Payload: String?]>([:])

  static func of(_ kind: MessageKind, _ payload: Data) -> String? {
    let key = Payload(kind: kind, bytes: payload)
    if let token = known.withLock({ $0[key] }) { return token }
    let token = decoded(kind, payload)
    known.withLock { known in
      if known.count >= 4096 { known.removeAll(keepingCapacity: true) }
      known.updateValue(token, forKey: key)
    }
    return token
  }

  private static func decoded(_ kind: MessageKind, _ payload: Data) -> String? {
    switch kind {
    case TextContent.kind: (try? JSONDecoder().decode(TextContent.self, from: payload)).map { of($0) }
    case ImageContent.kind: (try? JSONDecoder().decode(ImageContent.self, from: payload)).flatMap { of($0) }
    default: nil
    }
  }

  static func of(_ message: ChatMessage) -> String? { of(message.content) }

  static func of(_ content: StoredContent) -> String? {
    if let text = content.as(TextContent.self) { return of(text) }
    return content.as(ImageContent.self).flatMap { of($0) }
  }

  /// The content of a sent image's file, which the media id contains; nil for other kinds.
  static func picture(of kind: MessageKind, _ payload: Data) -> String? {
    guard kind == ImageContent.kind else { return nil }
    let media = (try? JSONDecoder().decode(ImageContent.self, from: payload))?.image.media
    return media.map { String($0.id.dropFirst("media-".count)) }
  }

  /// Joins the device's name, taken from the picture's media id, and the width. The same picture is sent
  /// repeatedly, each time with another width.
  private static func of(_ image: ImageContent) -> String? {
    guard let media = image.image.media, let width = image.width else { return nil }
    return media.id.dropFirst("media-".count).prefix { $0 != "/" } + "#\(width)"
  }
}
