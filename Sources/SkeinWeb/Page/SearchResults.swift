import Foundation
import Skein
import SkeinCards

/// The list at the side, with the messages that a search has found or with messages that have a flag.
enum SearchResults {
  static func html(of messages: [ChatMessage], in conversations: some Sequence<Conversation>) -> HTML {
    guard !messages.isEmpty else {
      return empty("Nothing found. Only the messages on this device are searched.")
    }
    let names = names(of: conversations)
    return HTML(
      messages.map { message in
        row(
          at: .data("message", String(message.id.rawValue)), message.conversation, names, message.sender,
          message.content, message.time)
      })
  }

  static func html(
    of messages: [FlaggedMessage], with label: FlagLabel, in conversations: some Sequence<Conversation>
  ) -> HTML {
    let names = names(of: conversations)
    let rows = messages.map { message in
      row(at: place(of: message), message.conversation, names, message.sender, message.content, message.time)
    }
    return HTML([title(of: label)] + (rows.isEmpty ? [empty("No message is \(label.state) yet.")] : rows))
  }

  /// The message's id as an attribute of a button. The server id is used if the message is not stored
  /// locally. Nil if the message has neither a local id nor a server id.
  static func place(of message: FlaggedMessage) -> HTML.Attribute? {
    message.id.map { .data("message", String($0.rawValue)) }
      ?? message.message.serverID.map { .data("server", $0.rawValue) }
  }

  /// The list's title, and a button that closes the list by an empty search.
  private static func title(of label: FlagLabel) -> HTML {
    HTML(.li, [.class("title")]) {
      HTML(.span) { HTML("\(label.sign) \(label.state.capitalized)") }
      HTML(.button, [.plainButton, .data("do", "search"), .aria("label", "Close the list"), .title("Close")])
      {
        HTML("✕")
      }
    }
  }

  private static func empty(_ text: String) -> HTML { HTML(.li, [.class("empty")]) { HTML(text) } }

  private static func names(of conversations: some Sequence<Conversation>) -> [ConversationID: String] {
    Dictionary(conversations.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  private static func row(
    at place: HTML.Attribute?, _ chat: ConversationID, _ names: [ConversationID: String], _ sender: UserID,
    _ content: StoredContent, _ time: Timestamp
  ) -> HTML {
    HTML(.li) {
      HTML(
        .button,
        [.plainButton, .class("chat"), .data("do", "open"), .data("chat", String(chat.rawValue))]
          + (place.map { [$0] } ?? [])
      ) {
        HTML(.span, [.class("name"), .ownDirection]) { HTML(names[chat] ?? "") }
        HTML(.time, [.data("time", String(time.rawValue)), .data("form", "short")])
        HTML(.span, [.class("last"), .ownDirection]) {
          HTML("\(sender.rawValue): \(content.displayedText)")
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
