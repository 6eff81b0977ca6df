import Foundation
import Skein
import SkeinCards
import Testing

@Suite("Captions")
struct CaptionTests {
  private static let file = MessageAttachment.remote(RemoteMedia(id: "m", size: 1, type: "x/y"))

  @Test(
    "A caption stands in previews, is found by search, and is omitted from the stored content if there is none"
  )
  func texts() throws {
    let (image, plain) = (ImageContent(Self.file, caption: "holiday"), ImageContent(Self.file))
    #expect(image.displayedText == "holiday" && image.searchableText == "holiday")
    #expect(plain.displayedText == "[image]" && plain.searchableText == nil)
    let stored = String(decoding: try KindRegistry.encode(plain), as: UTF8.self)
    #expect(!stored.contains("caption"))
    let plan = FileContent(Self.file, name: "plan.pdf", caption: "the plan")
    #expect(plan.displayedText == "the plan" && plan.searchableText == "plan.pdf the plan")
  }

  @Test("A card shows the caption below the file")
  func card() async throws {
    try await CardStage.run { stage in
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: .standard)
      let messages = [
        try await stage.receive(ImageContent(Self.file, caption: "holiday")),
        try await stage.receive(VideoContent(Self.file, caption: "holiday")),
        try await stage.receive(AudioContent(Self.file, caption: "holiday")),
        try await stage.receive(FileContent(Self.file, name: "a", caption: "holiday")),
      ]
      for message in messages {
        let components = cards.card(for: message).components
        #expect(components.count == 2 && components.last?.displayedText == "holiday")
      }
    }
  }
}
