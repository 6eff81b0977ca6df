public import Skein
import Synchronization

/// Plays one recording of a chat at a time, and continues with the next unplayed recording of another user.
///
/// Until its list is released, the plugin remembers which recordings were played.
public final class AudioPlugin: MessageCardPlugin {
  /// `audio`.
  public static let business = "audio"
  /// The audio kind.
  public static let kinds: [MessageKind] = [AudioContent.kind]
  /// Starts the recording, and stops any other recording.
  public static let play: CardAction.Name = "play"
  /// Stops the recording.
  public static let stop: CardAction.Name = "stop"
  /// Performed by the surface at the end of a recording; starts the next unplayed recording of another user.
  public static let ended: CardAction.Name = "ended"

  private let context: MessageCardContext
  private let state = Mutex(State())

  private struct State {
    var playing: LocalMessageID?
    var heard: Set<LocalMessageID> = []
  }

  /// Makes the plugin of one chat.
  public init(_ context: MessageCardContext) { self.context = context }

  /// Returns the recording and its state.
  public func components(of message: ChatMessage) -> [any CardComponent] {
    guard let content = message.content.as(AudioContent.self) else { return [] }
    let (isPlaying, isHeard) = state.withLock { ($0.playing == message.id, $0.heard.contains(message.id)) }
    return [AudioComponent(content, isPlaying: isPlaying, isUnplayed: !message.isOwn && !isHeard)]
      + CardRegistry.caption(content.caption)
  }

  /// Plays or stops the recording, or continues with the next unplayed recording of another user.
  public func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) {
    switch action {
    case Self.play: play(message.id)
    case Self.stop: play(nil)
    case Self.ended:
      let later = context.messages.drop { $0.id != message.id }.dropFirst()
      play(state.withLock { state in later.first { !$0.isOwn && !state.heard.contains($0.id) } }?.id)
    default: break
    }
  }

  private func play(_ next: LocalMessageID?) {
    let last = state.withLock { state in
      defer { state.playing = next }
      if let next { state.heard.insert(next) }
      return state.playing
    }
    context.reload([last, next].compactMap(\.self))
  }
}
