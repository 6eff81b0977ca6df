public import Skein

/// A recording that can be heard.
public struct AudioComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID = "audio"
  /// The recording: `ChatClient.file(for:)` fetches one that the server has.
  public let file: MessageAttachment
  /// In seconds, where known.
  public let duration: Double?
  /// Whether it is being heard: the surface plays it as long as this says so.
  public let isPlaying: Bool
  /// Whether nobody has heard it yet, of one that another has sent.
  public let isUnplayed: Bool

  init(_ content: AudioContent, isPlaying: Bool, isUnplayed: Bool) {
    file = content.audio
    duration = content.duration
    self.isPlaying = isPlaying
    self.isUnplayed = isUnplayed
  }

  /// How long it is, in minutes and seconds: `0:42`; nil where that is not known.
  public var lengthText: String? {
    guard let duration else { return nil }
    // What a message says may be any number.
    let whole = duration.isFinite ? Int(min(max(duration, 0), 359_999)) : 0
    return "\(whole / 60):\(String(100 + whole % 60).dropFirst())"
  }

  /// Play it, or stop; the surface itself says when it has ended.
  public var actions: [CardAction] {
    isPlaying
      ? [CardAction(AudioPlugin.stop, title: "Stop"), CardAction(AudioPlugin.ended, title: "Ended")]
      : [CardAction(AudioPlugin.play, title: "Play")]
  }
  /// That it is audio.
  public var displayedText: String { "[audio]" }
}
