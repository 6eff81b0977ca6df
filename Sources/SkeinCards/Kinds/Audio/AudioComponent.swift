public import Skein

/// A recording with a play button.
public struct AudioComponent: CardComponent {
  /// Unique within the card.
  public let id: ComponentID = "audio"
  /// The recording; `ChatClient.file(for:)` downloads it.
  public let file: MessageAttachment
  /// In seconds; nil if unknown.
  public let duration: Double?
  /// Whether the surface must play the recording.
  public let isPlaying: Bool
  /// Whether another user sent the recording, and the list's ``AudioPlugin`` has not played the recording.
  public let isUnplayed: Bool

  init(_ content: AudioContent, isPlaying: Bool, isUnplayed: Bool) {
    file = content.audio
    duration = content.duration
    self.isPlaying = isPlaying
    self.isUnplayed = isUnplayed
  }

  /// The duration in minutes and seconds, such as `0:42`; nil if unknown.
  public var lengthText: String? {
    guard let duration else { return nil }
    // The duration comes from the sender and may be any number.
    let whole = duration.isFinite ? Int(min(max(duration, 0), 359_999)) : 0
    return "\(whole / 60):\(String(100 + whole % 60).dropFirst())"
  }

  /// ``AudioPlugin/play``; while the recording plays, ``AudioPlugin/stop`` and ``AudioPlugin/ended`` instead.
  /// At the end of the recording, the surface performs ``AudioPlugin/ended``.
  public var actions: [CardAction] {
    isPlaying
      ? [CardAction(AudioPlugin.stop, title: "Stop"), CardAction(AudioPlugin.ended, title: "Ended")]
      : [CardAction(AudioPlugin.play, title: "Play")]
  }
  /// A fixed placeholder.
  public var displayedText: String { "[audio]" }
}
