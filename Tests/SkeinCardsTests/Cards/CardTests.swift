import Foundation
import Skein
import SkeinCards
import Synchronization
import Testing

@Suite("Cards")
struct CardTests {
  @Test("A message is drawn with the components that are registered for its kind")
  func registered() async throws {
    try await CardStage.run(kinds: [Poll.self]) { stage in
      var registry = CardRegistry.standard
      registry.register(Poll.self) { poll, _ in [PollComponent(displayedText: poll.question, actions: [])] }
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      let text = cards.card(for: try await stage.receive(TextContent("hello")))
      #expect(text.components.first is TextComponent)
      let poll = cards.card(for: try await stage.receive(Poll(question: "Tea?")))
      #expect(poll.components.first is PollComponent)
      let recalled = cards.card(for: try await stage.receive(RecalledContent(by: "bob")))
      #expect(recalled.components.map(\.displayedText) == ["bob recalled a message"])
      #expect(cards.problems.isEmpty)
    }
  }

  @Test("Removing the registration of a kind affects only the cards of that kind")
  func removed() async throws {
    let media = MessageAttachment.remote(RemoteMedia(id: "m", size: 3, type: "x/y"))
    try await CardStage.run { stage in
      var messages: [ChatMessage] = []
      messages.append(try await stage.receive(TextContent("hello")))
      messages.append(try await stage.receive(ImageContent(media)))
      messages.append(try await stage.receive(VideoContent(media)))
      messages.append(try await stage.receive(AudioContent(media)))
      messages.append(try await stage.receive(FileContent(media, name: "a.txt")))
      messages.append(try await stage.receive(StickerContent(media)))
      messages.append(try await stage.receive(LocationContent(latitude: 1, longitude: 2)))
      messages.append(try await stage.receive(MergedForwardContent(title: "Chat", messages: [])))
      messages.append(try await stage.receive(RecalledContent(by: "bob")))
      messages.append(try await stage.receive(NoticeContent("carol has joined")))
      messages.append(try await stage.receive(ContactContent("carol")))
      let moment = MomentContent(.init(rawValue: "m1"), by: "carol", text: "Snow!")
      messages.append(try await stage.receive(moment))
      messages.append(try await stage.receive(MomentLikeContent(moment.moment)))
      messages.append(try await stage.receive(MomentCommentContent(TextContent("Where?"), to: moment)))
      messages.append(try await stage.receive(TopicContent(.init(rawValue: "t1"), title: "Snow")))
      messages.append(try await stage.receive(InvitationContent("Skiing")))
      #expect(Set(messages.map(\.kind)) == CardRegistry.standard.kinds)
      for gone in CardRegistry.standard.kinds {
        var registry = CardRegistry.standard
        registry.remove(gone)
        let cards = MessageCardViewModelFactory(
          for: stage.chat, registry: registry, timeouts: .init(components: .seconds(60)))
        for message in messages {
          let component = try #require(cards.card(for: message).components.first)
          #expect((component is CardText) == (message.kind == gone), "\(gone) \(message.kind)")
          if message.kind == gone { #expect(component.displayedText == message.content.displayedText) }
          #expect(!component.displayedText.isEmpty)
        }
        #expect(cards.problems.isEmpty)
      }
    }
  }

  @Test("A reply shows the quoted message above its content")
  func reply() async throws {
    try await CardStage.run { stage in
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: .standard)
      let target = try await stage.receive(TextContent("Tea?"))
      let sent = try await stage.chat.messenger.send(TextContent("Yes!"), replyingTo: target.id)
      let reply = try await sent.result
      let components = cards.card(for: reply).components
      #expect(components.map(\.displayedText) == ["bob: Tea?", "Yes!"])
      #expect(components.first is QuoteComponent)
    }
  }

  @Test("A message's card is cached until a card for another version of the message is requested")
  func kept() async throws {
    try await CardStage.run { stage in
      let made = Mutex<[String]>([])
      var registry = CardRegistry()
      registry.register(TextContent.self) { text, _ in
        made.withLock { $0.append(text.text) }
        return [TextComponent(text)]
      }
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      let sent = try await stage.chat.messenger.send(TextContent("helo"))
      let message = try await sent.result
      for _ in 1...3 { #expect(cards.card(for: message).displayedText == "helo") }
      #expect(made.withLock { $0 } == ["helo"])
      try await stage.chat.messenger.edit(message.id, to: TextContent("hello"))
      for await update in stage.chat.changes {
        guard let edited = update.snapshot.last?.message, edited.content.displayedText == "hello" else {
          continue
        }
        #expect(cards.card(for: edited) != cards.card(for: message))
        break
      }
      #expect(made.withLock { $0 } == ["helo", "hello", "helo"])
    }
  }

  @Test("The delegate determines how cards look, and when the look changes, new cards are made")
  func delegate() async throws {
    final class Delegate: MessageCardDelegate {
      let current = Mutex(CardTheme())
      var theme: CardTheme { current.withLock { $0 } }
      func style(of message: ChatMessage) -> CardStyle { CardStyle(nickname: "Bobby", isBlurred: true) }
    }
    try await CardStage.run { stage in
      let delegate = Delegate()
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: .standard, delegate: delegate)
      let message = try await stage.receive(TextContent("hello"))
      let first = cards.card(for: message)
      #expect(first.style == CardStyle(nickname: "Bobby", isBlurred: true))
      #expect(cards.card(for: message) == first)
      delegate.current.withLock { $0.accent = "red" }
      #expect(cards.card(for: message) != first)
      #expect(cards.card(for: message).theme.accent == "red")
    }
  }

  @Test("A text is split into runs at its mentions, and invalid mentions are ignored")
  func runs() {
    let text = "hé @bob and @all"
    let bob = text.firstRange(of: "@bob"), all = text.firstRange(of: "@all")
    let mentions = [
      bob.map { TextMention("bob", at: $0, of: text) }, all.map { TextMention(nil, at: $0, of: text) },
    ]
    let wrong = [TextMention("eve", start: 4, length: 2), TextMention("eve", start: 99, length: 1)]
    let component = TextComponent(TextContent(text, mentions: mentions.compactMap(\.self) + wrong))
    #expect(component.runs.map(\.text) == ["hé ", "@bob", " and ", "@all"])
    #expect(component.runs.map(\.isMention) == [false, true, false, true])
    #expect(component.runs.map(\.user) == [nil, "bob", nil, nil])
    #expect(component.displayedText == text)
    #expect(TextComponent(TextContent("")).runs.isEmpty)
  }

  @Test("Impossible sizes and coordinates are ignored")
  func strangers() {
    #expect(MediaComponent.Size(width: 0, height: 3) == nil)
    #expect(MediaComponent.Size(width: -1, height: 3) == nil)
    #expect(MediaComponent.Size(width: 4, height: nil) == nil)
    #expect(LocationComponent(LocationContent(latitude: 91, longitude: 0)) == nil)
    #expect(LocationComponent(LocationContent(latitude: .nan, longitude: 0)) == nil)
    #expect(LocationComponent(LocationContent(latitude: -90, longitude: 180)) != nil)
  }
}
