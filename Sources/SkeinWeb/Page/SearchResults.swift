import Skein

/// The messages that a search has found, in the list at the side.
enum SearchResults {
  static func html(of messages: [ChatMessage], in conversations: some Sequence<Conversation>) -> HTML {
    guard !messages.isEmpty else {
      return HTML(.li, [.class("empty")]) {
        HTML("Nothing found. Only the messages on this device are searched.")
      }
    }
    let names = Dictionary(conversations.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    return HTML(messages.map { row(of: $0, chat: names[$0.conversation] ?? "") })
  }

  private static func row(of message: ChatMessage, chat: String) -> HTML {
    HTML(.li) {
      HTML(
        .button,
        [
          .plainButton, .class("chat"), .data("do", "open"),
          .data("chat", String(message.conversation.rawValue)),
          .data("message", String(message.id.rawValue)),
        ]
      ) {
        HTML(.span, [.class("name"), .ownDirection]) { HTML(chat) }
        HTML(.time, [.data("time", String(message.time.rawValue)), .data("form", "short")])
        HTML(.span, [.class("last"), .ownDirection]) {
          HTML("\(message.sender.rawValue): \(message.content.displayedText)")
        }
      }
    }
  }
}

/// The chats that a message can be forwarded to.
enum ForwardChooser {
  static func html(of conversations: some Sequence<Conversation>, forwarding message: LocalMessageID) -> HTML
  {
    HTML(
      conversations.map { conversation in
        HTML(.li) {
          HTML(
            .button,
            [
              .plainButton, .class("chat"), .data("do", "forwardTo"),
              .data("message", String(message.rawValue)),
              .data("chat", String(conversation.id.rawValue)),
            ]
          ) {
            Avatar.html(of: conversation.name)
            HTML(.span, [.class("name"), .ownDirection]) { HTML(conversation.name) }
          }
        }
      })
  }
}
