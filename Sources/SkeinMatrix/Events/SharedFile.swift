import SkeinModel

/// A file of a message, in the form that all Matrix clients understand.
struct SharedFile: Sendable {
  /// The type of message, such as `m.image`.
  let type: String
  let media: RemoteMedia
  let info: JSONValue
  /// The name beside a caption; nil if there is no caption. The caption takes the place of the name then.
  let name: String?

  /// Describes the file of a content; nil if the content has no file on the media server.
  init?(_ content: StoredContent) {
    var more: JSONValue = [:]
    let (file, caption): (MessageAttachment, String?)
    var name: String?
    if let image = content.as(ImageContent.self) {
      (type, file, caption) = ("m.image", image.image, image.caption)
      more["w"] = image.width.map { .integer(Int64($0)) }
      more["h"] = image.height.map { .integer(Int64($0)) }
    } else if let video = content.as(VideoContent.self) {
      (type, file, caption) = ("m.video", video.video, video.caption)
      more["w"] = video.width.map { .integer(Int64($0)) }
      more["h"] = video.height.map { .integer(Int64($0)) }
      more["duration"] = Self.milliseconds(video.duration)
    } else if let audio = content.as(AudioContent.self) {
      (type, file, caption) = ("m.audio", audio.audio, audio.caption)
      more["duration"] = Self.milliseconds(audio.duration)
    } else if let other = content.as(FileContent.self) {
      (type, file, caption, name) = ("m.file", other.file, other.caption, other.name)
    } else {
      return nil
    }
    guard let media = file.media, media.id.hasPrefix("mxc://") else { return nil }
    more["size"] = .integer(media.size)
    more["mimetype"] = .string(media.type)
    (self.media, info) = (media, more)
    self.name = caption == nil ? nil : name ?? String(type.dropFirst(2))
  }

  private static func milliseconds(_ seconds: Double?) -> JSONValue? {
    seconds.flatMap { Int64(exactly: ($0 * 1000).rounded()) }.map { .integer($0) }
  }
}

extension SharedFile {
  /// The content of another client's message with a file. Nil if the message has no such file, if the file is
  /// encrypted, or if its size is not stated, since a download needs the size.
  static func content(of json: JSONValue, type: String) -> (any MessageContent)? {
    let info = json["info"] ?? [:]
    guard let url = json["url"]?.string, url.hasPrefix("mxc://"), json["file"] == nil,
      let size = info["size"]?.integer, size >= 0
    else { return nil }
    let kind = info["mimetype"]?.string ?? "application/octet-stream"
    let file = MessageAttachment.remote(RemoteMedia(id: url, size: size, type: kind))
    let (width, height) = (Self.pixels(info["w"]), Self.pixels(info["h"]))
    let seconds = info["duration"]?.double.map { $0 / 1000 }
    let (body, name) = (json["body"]?.string, json["filename"]?.string)
    let caption = name == nil || name == body ? nil : body.flatMap { $0.isEmpty ? nil : $0 }
    return switch type {
    case "m.image", RoomEvent.Kind.sticker:
      ImageContent(file, width: width, height: height, caption: caption)
    case "m.video":
      VideoContent(file, duration: seconds, width: width, height: height, caption: caption)
    case "m.audio": AudioContent(file, duration: seconds, caption: caption)
    case "m.file": FileContent(file, name: name ?? body ?? "", size: size, caption: caption)
    default: nil
    }
  }

  private static func pixels(_ value: JSONValue?) -> Int? {
    value?.double.flatMap { Int(exactly: $0.rounded()) }.flatMap { $0 > 0 ? $0 : nil }
  }
}
