import Skein
import SkeinCards

/// The headers of a chat and of the list of chats.
enum ChatHeader {
  static func html(of conversation: Conversation, members: [UserID], presence: Presence?, typists: [UserID])
    -> HTML
  {
    HTML([
      Avatar.html(of: conversation.name),
      HTML(.h1, [.ownDirection]) { HTML(conversation.name) },
      HTML(.span, [.class("about"), .role("status")]) {
        HTML(about(conversation, members: members, presence: presence, typists: typists))
      },
    ])
  }

  private static func about(
    _ conversation: Conversation, members: [UserID], presence: Presence?, typists: [UserID]
  ) -> String {
    if let failure = conversation.failure { return failure.message }
    // The bar below the header has the words of an invitation that waits for its answer.
    if let text = conversation.invitationText { return conversation.asksToJoin ? "" : text }
    if conversation.type == .direct {
      if !typists.isEmpty { return "is typing …" }
      return presence?.isOnline == true ? "online" : ""
    }
    let names = typists.map(\.rawValue).joined(separator: ", ")
    return typists.isEmpty
      ? "\(members.count) people" : "\(names) \(typists.count == 1 ? "is" : "are") typing …"
  }

  /// The buttons that answer an invitation; empty if there is none. While they are shown, the page hides the composer.
  static func invitation(to conversation: Conversation) -> HTML {
    guard conversation.asksToJoin, let text = conversation.invitationText else { return .empty }
    func button(_ name: String, _ title: String) -> HTML {
      HTML(
        .button,
        [.plainButton, .data("do", name), .data("chat", String(conversation.id.rawValue)), .class(name)]
      ) { HTML(title) }
    }
    return HTML([
      HTML(.span, [.ownDirection]) { HTML("\(text).") }, button("accept", "Accept"),
      button("decline", "Decline"),
    ])
  }

  /// The state of the connection and, while online, of catching up, in words.
  static func connection(_ connection: ConnectionState, _ catchUp: CatchUpState) -> HTML {
    let (name, text) =
      switch connection {
      case .online:
        switch catchUp {
        case .waiting, .fetching: ("busy", "Catching up …")
        case .caughtUp: ("online", "Connected")
        case .failed(let reason): ("offline", "Could not catch up: \(reason.message)")
        }
      case .connecting: ("busy", "Connecting …")
      case .offline:
        ("offline", "No connection. New messages are kept, and sent when the server is back.")
      case .stopped: ("offline", "Stopped")
      case .elsewhere: ("elsewhere", "Another program sends and receives for this account.")
      case .signedOut(let reason):
        ("offline", "Signed out: \(reason.message) Start again with the password; nothing is lost.")
      }
    return HTML(.span, [.class("connection", name)]) { HTML(text) }
  }

  /// The message that was pinned last and, if there are others, a button that lists all pinned messages.
  static func pinned(_ pinned: [FlaggedMessage]) -> HTML {
    guard let first = pinned.first else { return .empty }
    let place = SearchResults.place(of: first)
    return HTML([
      HTML(
        .button, [.plainButton, .data("do", "jump"), .disabled(place == nil)] + (place.map { [$0] } ?? [])
      ) {
        HTML("\(FlagLabel.pin.sign) ")
        HTML(.span, [.ownDirection]) { HTML("\(first.sender.rawValue): \(first.content.displayedText)") }
      },
      pinned.count > 1
        ? HTML(
          .button,
          [.plainButton, .class("more"), .data("do", "flagged"), .data("key", MessageFlag.pin.rawValue)]
        ) { HTML("and \(pinned.count - 1) more") } : .empty,
    ])
  }
}
