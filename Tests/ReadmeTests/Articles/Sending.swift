import Foundation
import Skein
import Testing

enum Sending {
  static func send(_ chat: ChatContext) async throws -> SentMessage {
    let sent = try await chat.messenger.send(TextContent("See you at eight"))
    return sent
  }

  static func sendPicture(_ chat: ChatContext, _ picture: URL) async throws {
    try await chat.messenger.send(ImageContent(file: picture))
  }

  static func follow(_ sent: SentMessage, show: (String) -> Void) async {
    for await state in sent.progress {
      switch state {
      case .preparing(let fraction): show("uploading, \(Int(fraction * 100)) %")
      case .waitingForConnection: show("no connection")
      case .failed(let failure), .uncertain(let failure): show(failure.message)
      case .sent: show("sent")
      default: show("waits")
      }
    }
  }

  static func texts(_ states: [SendState]) -> [String] {
    func text(for reason: FailureReason) -> String {
      switch reason.code {
      case .unreachable: "No connection"
      case .storage: "This device has no room for it"
      default: reason.message
      }
    }
    return states.map { state in
      if case .parked(let reason) = state { text(for: reason) } else { "" }
    }
  }

  static func wait(_ sent: SentMessage) async throws -> ChatMessage {
    let message = try await sent.result
    return message
  }

  static func retry(_ chat: ChatContext, _ message: ChatMessage, confirm: (String) async -> Bool) async throws
  {
    if message.status == .failed {
      try await chat.messenger.retry(message.id)
    } else if message.status == .uncertain, await confirm("It may have arrived. Send it again?") {
      try await chat.messenger.retry(message.id)
    }
  }

  static func cancel(_ sent: SentMessage, show: (String) -> Void) async throws {
    switch try await sent.cancel() {
    case .cancelled: show("cancelled")
    case .tooLate: show("sent already; it can be recalled")
    case .unknown: show("may have been sent")
    }
  }

  static func change(_ chat: ChatContext, _ id: LocalMessageID) async throws {
    try await chat.messenger.edit(id, to: TextContent("See you at nine"))
    try await chat.messenger.addReaction("👍", to: id)
    try await chat.messenger.pin(id)  // for everybody in the chat
    try await chat.messenger.star(id)  // for this account, in ChatClient.starredMessages
  }

  static func recall(_ chat: ChatContext, _ id: LocalMessageID) async throws {
    try await chat.messenger.recall(id)
  }

  static func reply(_ chat: ChatContext, to message: ChatMessage) async throws {
    try await chat.messenger.send(TextContent(calling: "@bob agreed"), replyingTo: message.id)
  }

  static func forward(_ message: ChatMessage, to conversation: ConversationID, _ client: ChatClient)
    async throws
  {
    try await client.forward([message.id], to: [conversation])
  }

  static func options() -> ChatOptions {
    var options = ChatOptions()
    options.lanePolicy = .strict
    options.sendParticipants = [Signature()]
    return options
  }

  static func waiting(_ client: ChatClient, show: (ChatMessage, SendState?) -> Void) async throws {
    let status = client.sendStatus
    for message in try await client.waitingMessages() {
      show(message, status.state(of: message.id))
    }
  }
}

struct Signature: SendParticipant {
  func contribute(to draft: inout MessageDraft) {
    draft.parameters["client"] = "example/1.0"
  }
}

@Suite("Sending")
struct SendingArticleTests {
  @Test("The article's snippets send, follow, edit, reply, forward and recall")
  func works() async throws {
    try await ArticleStage.run { stage in
      let chat = stage.alice.context(for: try await stage.alice.open(.direct("bob")))
      let sent = try await Sending.send(chat)
      var shown: [String] = []
      await Sending.follow(sent) { shown.append($0) }
      #expect(shown.last == "sent")
      let message = try await Sending.wait(sent)
      #expect(message.status == .sent)
      try await Sending.cancel(sent) { shown.append($0) }
      #expect(shown.last == "sent already; it can be recalled")
      try await Sending.change(chat, message.id)
      try await Sending.reply(chat, to: message)
      try await Sending.forward(message, to: chat.conversation, stage.alice)
      try await Sending.waiting(stage.alice) { _, state in #expect(state?.isEnd != true) }
      for await update in chat.changes {
        guard let first = update.snapshot.first?.message, update.snapshot.count == 3 else { continue }
        if !first.hasPendingAction, first.content.displayedText == "See you at nine" { break }
      }
      try await Sending.recall(chat, message.id)
      #expect(Sending.texts([.parked(reason: FailureReason(.unreachable, "Gone."))]) == ["No connection"])
      #expect(Sending.options().sendParticipants.count == 1)
    }
  }
}
