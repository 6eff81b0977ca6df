import Skein

extension CardRegistry {
  /// Draws the kinds that Skein brings along; what was recalled shows its text.
  public static var standard: CardRegistry {
    var cards = CardRegistry()
    cards.register(AudioPlugin.self)
    cards.register(TextContent.self) { text, _ in
      let preview = text.preview.map { LinkPreviewComponent($0) as any CardComponent }
      return [TextComponent(text)] + [preview].compactMap(\.self)
    }
    cards.register(ImageContent.self) { image, _ in [MediaComponent(image)] }
    cards.register(VideoContent.self) { video, _ in [MediaComponent(video)] }
    cards.register(StickerContent.self) { sticker, _ in [MediaComponent(sticker)] }
    cards.register(FileContent.self) { file, _ in [FileComponent(file)] }
    cards.register(LocationContent.self) { location, _ in
      [LocationComponent(location)].compactMap { $0 as (any CardComponent)? }
    }
    cards.register(MergedForwardContent.self) { history, _ in [HistoryComponent(history)] }
    return cards
  }
}
