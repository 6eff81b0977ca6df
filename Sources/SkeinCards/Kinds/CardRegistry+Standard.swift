import Skein

extension CardRegistry {
  /// Cards for every kind of `KindRegistry.withCards`.
  public static var standard: CardRegistry {
    var cards = CardRegistry()
    cards.register(AudioPlugin.self)
    cards.register(MomentPlugin.self)
    cards.register(ContactContent.self) { contact, _ in [ContactComponent(contact)] }
    cards.register(TopicContent.self) { topic, _ in [TopicComponent(topic)] }
    cards.register(InvitationContent.self) { invitation, _ in [InvitationComponent(invitation)] }
    cards.registerRecalled()
    cards.register(NoticeContent.self) { notice, _ in [NoticeComponent(notice.text)] }
    cards.register(TextContent.self) { text, _ in
      let preview = text.preview.map { LinkPreviewComponent($0) as any CardComponent }
      return [TextComponent(text)] + [preview].compactMap(\.self)
    }
    cards.register(ImageContent.self) { image, _ in [MediaComponent(image)] + caption(image.caption) }
    cards.register(VideoContent.self) { video, _ in [MediaComponent(video)] + caption(video.caption) }
    cards.register(StickerContent.self) { sticker, _ in [MediaComponent(sticker)] }
    cards.register(FileContent.self) { file, _ in [FileComponent(file)] + caption(file.caption) }
    cards.register(LocationContent.self) { location, _ in
      [LocationComponent(location)].compactMap { $0 as (any CardComponent)? }
    }
    cards.register(MergedForwardContent.self) { history, _ in [HistoryComponent(history)] }
    return cards
  }

  /// The text below a file, if there is one.
  static func caption(_ text: String?) -> [any CardComponent] {
    text.map { [TextComponent(TextContent($0), id: "caption")] } ?? []
  }
}
