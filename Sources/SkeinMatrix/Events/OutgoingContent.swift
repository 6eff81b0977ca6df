import Foundation
import SkeinModel

/// The content of an event that carries a message of Skein.
enum OutgoingContent {
  /// Returns the content of a new message.
  static func content(of message: OutgoingMessage) throws -> JSONValue {
    var content = fallback(message.kind, message.payload, isCountable: message.isCountable)
    content[SkeinFields.key] =
      SkeinFields(
        id: message.id, kind: message.kind, payload: stated(message.payload, content, message.kind),
        parameters: message.parameters
      ).json
    if message.mentions != .nobody { content["m.mentions"] = json(message.mentions) }
    if let reply = message.replyTo {
      guard let id = reply.serverID else {
        throw BackendError(
          .permanent, "The message that this message replies to has no id on the homeserver.")
      }
      content["m.relates_to"] = ["m.in_reply_to": ["event_id": .string(id.rawValue)]]
    }
    return content
  }

  /// Returns the content of an edit. Mentions and parameters stay as they are.
  static func edit(of event: RoomEvent, to kind: MessageKind, _ payload: Data) -> JSONValue {
    let before = event.edit?.content["m.new_content"] ?? event.content
    var new = fallback(kind, payload, isCountable: event.content["msgtype"]?.string != "m.notice")
    let fields = SkeinFields(event.content)
    new[SkeinFields.key] =
      SkeinFields(
        id: fields?.id, kind: kind, payload: stated(payload, new, kind),
        parameters: SkeinFields(before)?.parameters ?? fields?.parameters ?? [:]
      ).json
    new["m.mentions"] = before["m.mentions"]
    var content = fallback(kind, payload, isCountable: true)
    content["msgtype"] = new["msgtype"]
    content["body"] = .string("* " + (new["body"]?.string ?? ""))
    content["m.new_content"] = new
    content["m.relates_to"] = ["rel_type": "m.replace", "event_id": .string(event.id.rawValue)]
    // Nobody is alerted again by an edit.
    content["m.mentions"] = [:]
    return content
  }

  /// The part that every client understands: a text, a file on the media server, or a place.
  private static func fallback(_ kind: MessageKind, _ payload: Data, isCountable: Bool) -> JSONValue {
    let stored = KindRegistry.standard.decode(kind, payload)
    let text = stored.displayedText.replacing("\0", with: "\u{FFFD}")
    var content: JSONValue = ["msgtype": isCountable ? "m.text" : "m.notice", "body": .string(text)]
    // Files and places that do not count stay notices, since push rules count every other type.
    guard isCountable else { return content }
    if let file = SharedFile(stored) {
      content["msgtype"] = .string(file.type)
      content["url"] = .string(file.media.id)
      content["info"] = file.info
      content["filename"] = file.name.map { .string($0) }
    } else if let address = stored.as(LocationContent.self).flatMap(address(of:)) {
      content["msgtype"] = "m.location"
      content["geo_uri"] = .string(address)
    }
    return content
  }

  /// The `geo:` address of a place; nil if the place is not on the globe.
  private static func address(of place: LocationContent) -> String? {
    guard (-90...90).contains(place.latitude), (-180...180).contains(place.longitude) else { return nil }
    // Six decimals are some centimetres. Such addresses have no exponents.
    return String(format: "geo:%.6f,%.6f", place.latitude, place.longitude)
  }

  /// The payload if it does not follow from the body.
  private static func stated(_ payload: Data, _ content: JSONValue, _ kind: MessageKind) -> Data? {
    let text = content["body"]?.string
    let follows =
      kind == TextContent.kind && text.flatMap { try? KindRegistry.encode(TextContent($0)) } == payload
    return follows ? nil : payload
  }

  private static func json(_ mentions: Mentions) -> JSONValue {
    var json: JSONValue = [:]
    if !mentions.users.isEmpty { json["user_ids"] = .strings(mentions.users.map(\.rawValue)) }
    if mentions.everyone { json["room"] = true }
    return json
  }
}
