import Foundation
import SkeinModel

/// The kind and the payload of a message, from Skein or from any other Matrix client.
struct IncomingContent: Sendable, Hashable {
  var kind: MessageKind
  var payload: Data
}

extension IncomingContent {
  /// - Parameters:
  ///   - type: the type of the event.
  ///   - isReply: whether the message replies to another message; older clients then quote that message in the body.
  init(_ content: JSONValue, type: String, isReply: Bool) {
    if let fields = SkeinFields(content), let payload = fields.payload ?? Self.text(content, isReply: false) {
      self.init(kind: fields.kind, payload: payload)
    } else {
      self = Self.foreign(content, type, isReply: isReply)
    }
  }

  private init<Content: MessageContent>(_ content: Content) {
    self.init(kind: Content.kind, payload: (try? KindRegistry.encode(content)) ?? Data())
  }

  private static func foreign(_ content: JSONValue, _ type: String, isReply: Bool) -> IncomingContent {
    // This client can't decrypt: the algorithm is kept, the ciphertext is not.
    if type == RoomEvent.Kind.encrypted {
      return other(MessageKind(rawValue: type), ["algorithm": content["algorithm"] ?? ""])
    }
    let name = type == RoomEvent.Kind.message ? content["msgtype"]?.string ?? type : type
    switch name {
    case "m.text", "m.notice":
      if let payload = text(content, isReply: isReply) {
        return IncomingContent(kind: TextContent.kind, payload: payload)
      }
    case "m.emote":
      if let body = content["body"]?.string { return IncomingContent(TextContent("* " + body)) }
    case "m.location":
      if let location = location(content) { return IncomingContent(location) }
    default:
      if let file = SharedFile.content(of: content, type: name) { return IncomingContent(file) }
    }
    return other(MessageKind(rawValue: name), content)
  }

  /// A kind of its own, with the event's content as payload.
  private static func other(_ kind: MessageKind, _ content: JSONValue) -> IncomingContent {
    IncomingContent(kind: kind, payload: (try? content.encoded()) ?? Data())
  }

  private static func text(_ content: JSONValue, isReply: Bool) -> Data? {
    guard var body = content["body"]?.string else { return nil }
    // Only a quote of this form was made by a client. Any other one was written by the user.
    if isReply, body.hasPrefix("> <@") || body.hasPrefix("> * <@") {
      var lines = body.split(separator: "\n", omittingEmptySubsequences: false)[...]
      lines = lines.drop { $0.hasPrefix(">") }
      if lines.first?.isEmpty == true { body = lines.dropFirst().joined(separator: "\n") }
    }
    return try? KindRegistry.encode(TextContent(body))
  }

  /// The place that a `geo:` address names.
  private static func location(_ content: JSONValue) -> LocationContent? {
    guard let address = content["geo_uri"]?.string, address.hasPrefix("geo:") else { return nil }
    let numbers = address.dropFirst(4).prefix { $0 != ";" }.split(separator: ",").map { Double($0) }
    guard numbers.count >= 2, let latitude = numbers[0], let longitude = numbers[1],
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    else { return nil }
    return LocationContent(latitude: latitude, longitude: longitude, name: content["body"]?.string)
  }
}
