import Dispatch
import Skein
import SkeinCards
import Synchronization
import Testing

@Suite("Card plugins")
struct PluginTests {
  @Test("A plugin performs an action and redraws only the cards that it reloads")
  func vote() async throws {
    try await CardStage.run(kinds: [Poll.self]) { stage in
      var registry = CardRegistry.standard
      registry.register(PollPlugin.self)
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      let messages = [
        try await stage.receive(Poll(question: "Tea?")), try await stage.receive(Poll(question: "Cake?")),
      ]
      let before = messages.map(cards.card)
      var reloads = cards.reloads.makeAsyncIterator()
      await cards.perform("vote", of: "poll", on: before[0], value: "yes")?.value
      #expect(await reloads.next() == [messages[0].id])
      let after = messages.map(cards.card)
      #expect(after.map(\.revision) == [1, 0])
      #expect(after.map { $0.components[0].displayedText } == ["Tea? yes", "Cake?"])
      #expect(after[0] != before[0] && after[1] == before[1])
      #expect(cards.problems.isEmpty)
    }
  }

  @Test(
    "An unknown or disabled action is reported and not performed",
    arguments: ["dance", "vote no", "late", "elsewhere"])
  func unknown(action: String) async throws {
    try await CardStage.run(kinds: [Poll.self]) { stage in
      var registry = CardRegistry.standard
      registry.register(PollPlugin.self)
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      let card = cards.card(for: try await stage.receive(Poll(question: "Tea?")))
      let task =
        switch action {
        case "dance": cards.perform("dance", of: "poll", on: card)
        case "vote no": cards.perform("vote", of: "poll", on: card, value: "no")
        case "late": cards.perform("late", of: "poll", on: card)
        default: cards.perform("vote", of: "nothing", on: card, value: "yes")
        }
      #expect(task == nil)
      #expect(cards.problems.map(\.code) == [.actionUnknown])
      #expect(cards.problems.first?.business == "polls")
    }
  }

  @Test("A failing plugin affects its own cards only and is reported")
  func failing() async throws {
    try await CardStage.run(kinds: [Poll.self]) { stage in
      var registry = CardRegistry.standard
      registry.register(BadPlugin.self)
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      let poll = try await stage.receive(Poll(question: "Tea?"))
      let card = cards.card(for: poll)
      #expect(card.components.map(\.displayedText) == ["Tea?"])
      #expect(card.problem?.code == .noComponents)
      #expect(cards.problems.map(\.business) == ["bad"])
      let text = cards.card(for: try await stage.receive(TextContent("hello")))
      #expect(text.problem == nil && text.components.first is TextComponent)
      // A failed card is cached, so the plugin is not called again.
      for _ in 1...3 { _ = cards.card(for: poll) }
      #expect(cards.problems.count == 1)
    }
  }

  @Test("A plugin with the name of a kind without a plugin makes its own cards")
  func namedLikeAKind() async throws {
    try await CardStage.run(kinds: [Poll.self, Polls.self]) { stage in
      var registry = CardRegistry.standard
      registry.register(PollPlugin.self)
      registry.register(Polls.self) { polls, _ in [CardText("\(polls.count) polls")] }
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      let count = cards.card(for: try await stage.receive(Polls(count: 2)))
      let poll = cards.card(for: try await stage.receive(Poll(question: "Tea?")))
      #expect(count.components.map(\.displayedText) == ["2 polls"])
      #expect(poll.components.first is PollComponent)
      await cards.perform("vote", of: "poll", on: poll, value: "yes")?.value
      #expect(cards.card(for: poll.message).components.map(\.displayedText) == ["Tea? yes"])
      #expect(cards.card(for: count.message) == count)
    }
  }

  @Test(
    "A plugin that hangs blocks no other plugin, and its cards show plain text until the plugin makes them"
  )
  func stuck() async throws {
    try await CardStage.run(kinds: [Poll.self]) { stage in
      let gate = DispatchSemaphore(value: 0)
      var registry = CardRegistry.standard
      registry.register(Poll.self) { poll, _ in
        gate.wait()
        gate.signal()
        return [PollComponent(displayedText: poll.question, actions: [])]
      }
      let cards = MessageCardViewModelFactory(
        for: stage.chat, registry: registry, timeouts: .init(components: .seconds(1)))
      var reloads = cards.reloads.makeAsyncIterator()
      let polls = [
        try await stage.receive(Poll(question: "Tea?")), try await stage.receive(Poll(question: "Cake?")),
      ]
      for poll in polls {
        let card = cards.card(for: poll)
        #expect(card.components.first is CardText && card.problem?.code == .componentsHang)
      }
      // The second card was not waited for.
      #expect(cards.problems.map(\.message) == [polls[0].id])
      let text = try await stage.receive(TextContent("hello"))
      while !(cards.card(for: text).components.first is TextComponent) { _ = await reloads.next() }
      gate.signal()
      for poll in polls {
        while !(cards.card(for: poll).components.first is PollComponent) { _ = await reloads.next() }
      }
      // The second card was made in time, so the plugin is waited for again.
      #expect(
        cards.card(for: try await stage.receive(Poll(question: "Jam?"))).components.first is PollComponent)
    }
  }

  @Test("An action that fails or never ends blocks no other action")
  func hanging() async throws {
    try await CardStage.run(kinds: [Poll.self]) { stage in
      var registry = CardRegistry.standard
      registry.register(PollPlugin.self)
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      let card = cards.card(for: try await stage.receive(Poll(question: "Tea?")))
      let hanging = try #require(cards.perform("hang", of: "poll", on: card))
      await cards.perform("fail", of: "poll", on: card)?.value
      #expect(cards.problems.map(\.code) == [.actionFailed])
      await cards.perform("vote", of: "poll", on: card, value: "yes")?.value
      #expect(cards.card(for: card.message).components[0].displayedText == "Tea? yes")
      hanging.cancel()
      await hanging.value
    }
  }

  @Test("An action that never ends is reported once")
  func named() async throws {
    try await CardStage.run(kinds: [Poll.self]) { stage in
      var registry = CardRegistry.standard
      registry.register(PollPlugin.self)
      let cards = MessageCardViewModelFactory(
        for: stage.chat, registry: registry, timeouts: .init(action: .milliseconds(1)))
      let card = cards.card(for: try await stage.receive(Poll(question: "Tea?")))
      var problems = cards.problemUpdates.makeAsyncIterator()
      let hanging = try #require(cards.perform("hang", of: "poll", on: card))
      let problem = await problems.next()
      #expect(problem?.code == .actionHangs && problem?.business == "polls" && problem?.message == card.id)
      hanging.cancel()
      await hanging.value
      #expect(cards.problems.count { $0.code == .actionHangs } == 1)
    }
  }

  @Test("A plugin can send only a limited number of messages for each action of the user")
  func flooding() async throws {
    try await CardStage.run(kinds: [Poll.self]) { stage in
      var registry = CardRegistry.standard
      registry.register(PollPlugin.self)
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: registry)
      let card = cards.card(for: try await stage.receive(Poll(question: "Tea?")))
      await cards.perform("flood", of: "poll", on: card)?.value
      #expect(Set(cards.problems.map(\.code)) == [.sendsTooMuch, .actionFailed])
      #expect(try await stage.alice.messages(in: stage.chat, saying: "flood").count == 20)
      await cards.perform("flood", of: "poll", on: card)?.value
      #expect(try await stage.alice.messages(in: stage.chat, saying: "flood").count == 40)
    }
  }

  @Test(
    "Only one recording plays at a time; when it ends, the next unplayed recording of another user starts")
  func audio() async throws {
    let recording = AudioContent(.remote(RemoteMedia(id: "r", size: 3, type: "audio/ogg")))
    try await CardStage.run { stage in
      let cards = MessageCardViewModelFactory(for: stage.chat, registry: .standard)
      let messages = [
        try await stage.receive(recording), try await stage.send(recording),
        try await stage.receive(recording),
      ]
      func playing() -> [Bool] {
        messages.map { (cards.card(for: $0).components[0] as? AudioComponent)?.isPlaying ?? false }
      }
      func unplayed() -> [Bool] {
        messages.map { (cards.card(for: $0).components[0] as? AudioComponent)?.isUnplayed ?? false }
      }
      func tap(_ action: CardAction.Name, _ index: Int) async {
        await cards.perform(action, of: "audio", on: cards.card(for: messages[index]))?.value
      }
      #expect(playing() == [false, false, false])
      #expect(unplayed() == [true, false, true])
      await tap(AudioPlugin.play, 1)
      #expect(playing() == [false, true, false])
      await tap(AudioPlugin.play, 0)
      #expect(playing() == [true, false, false])
      await tap(AudioPlugin.ended, 0)
      #expect(playing() == [false, false, true])
      #expect(unplayed() == [false, false, false])
      await tap(AudioPlugin.ended, 2)
      #expect(playing() == [false, false, false])
      #expect(cards.problems.isEmpty)
    }
  }
}

private struct Refusal: Error {}

/// A kind with the name of ``PollPlugin``.
private struct Polls: MessageContent {
  static let kind = MessageKind(rawValue: PollPlugin.business)
  var count: Int
  var displayedText: String { "polls" }
}

/// Keeps the last vote on each poll, and misbehaves on request.
private final class PollPlugin: MessageCardPlugin {
  static let business = "polls"
  static let kinds: [MessageKind] = [Poll.kind]
  private let context: MessageCardContext
  private let votes = Mutex<[LocalMessageID: String]>([:])

  init(_ context: MessageCardContext) { self.context = context }

  func components(of message: ChatMessage) -> [any CardComponent] {
    let vote = votes.withLock { $0[message.id] }.map { " \($0)" } ?? ""
    let names: [CardAction.Name] = ["hang", "fail", "flood"]
    return [
      PollComponent(
        displayedText: message.content.displayedText + vote,
        actions: [
          CardAction("vote", value: "yes", title: "Yes"), CardAction("late", title: "Late", isEnabled: false),
        ] + names.map { CardAction($0, title: $0.rawValue) })
    ]
  }

  func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) async throws {
    switch action {
    case "vote":
      votes.withLock { $0[message.id] = value }
      context.reload([message.id])
    case "hang":
      let (never, _) = AsyncStream.makeStream(of: Never.self)
      for await _ in never {}
    case "flood": while true { try await context.send(TextContent("flood")) }
    default: throw Refusal()
    }
  }
}

/// Throws for every card.
private final class BadPlugin: MessageCardPlugin {
  static let business = "bad"
  static let kinds: [MessageKind] = [Poll.kind]
  init(_ context: MessageCardContext) {}
  func components(of message: ChatMessage) throws -> [any CardComponent] { throw Refusal() }
}

extension ChatClient {
  /// The messages that contain a text, including queued ones.
  fileprivate func messages(in chat: ChatContext, saying text: String) async throws -> [ChatMessage] {
    try await searchMessages(text, in: chat.conversation, limit: 100)
  }
}
