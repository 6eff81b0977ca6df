import Foundation
import Skein
import SkeinCards

/// A row of the message list. The page's script adds days and times in the reader's time zone.
struct MessageRow {
  let account: UserID
  let files: ServedFiles
  /// Whether the chat is a group, in which messages of others show their sender.
  let isGroup: Bool

  func html(of gap: MessageGap) -> HTML {
    let text =
      switch gap.state {
      case .open: "Messages may be missing here"
      case .stalled: "Messages are missing here that the server did not return"
      case .unavailable: "The server no longer has the messages that were here"
      }
    return HTML(.li, [.class("gap"), .focusable]) {
      HTML(.span) { HTML(gap.unreadCount.map { "\(text), \($0) unread" } ?? text) }
      if gap.state != .unavailable {
        HTML(.button, [.plainButton, .data("do", "fill")]) { HTML("Load them") }
      }
    }
  }

  func html(of card: MessageCardViewModel, _ receipt: Receipts.Stage, _ standing: String?) -> HTML {
    let message = card.message
    let surface = HTMLSurface(files, drawing: message)
    // A notice that is not sent yet is drawn as a message, since the row of a notice hides the sending state.
    let isNotice =
      message.status == .sent && !message.isRecalled
      && card.components.allSatisfy { $0 is NoticeComponent }
    return HTML(
      .li,
      [
        .class(
          "message", message.isOwn ? "own" : "other", message.isMention ? "calls" : "",
          message.isRecalled ? "recalled" : "", isNotice ? "notice" : ""),
        .focusable, .data("id", String(message.id.rawValue)), .data("time", String(message.time.rawValue)),
        .data("sender", message.sender.rawValue),
      ]
    ) {
      if isGroup, !message.isOwn {
        HTML(.strong, [.class("sender"), .ownDirection]) {
          HTML(card.senderName)
        }
      }
      HTML(.div, [.class("bubble")]) {
        for label in FlagLabel.all where message.flags.contains(label.flag) {
          HTML(.span, [.class("flag")]) { HTML("\(label.sign) \(label.state.capitalized)") }
        }
        for component in card.components { surface.html(of: component) }
        HTML(.span, [.class("meta")]) {
          if message.edited != nil { HTML(.span) { HTML("edited") } }
          HTML(.time, [.data("time", String(message.time.rawValue))])
          if message.isOwn { state(of: message, receipt, standing) }
        }
      }
      if !message.reactions.isEmpty { reactions(of: message) }
      if let failure = message.failure {
        HTML(.p, [.class("failure"), .role("status")]) { HTML(failure.message) }
      }
      tools(of: message)
    }
  }

  private func state(of message: ChatMessage, _ receipt: Receipts.Stage, _ standing: String?) -> HTML {
    let (sign, words): (String, String) =
      switch message.status {
      case .queued, .sending: ("🕓", standing ?? "is being sent")
      case .failed: ("!", "was not sent")
      case .uncertain: ("?", "may have arrived")
      case .sent:
        switch receipt {
        case .sent: ("✓", "sent")
        case .delivered: ("✓✓", "delivered")
        case .read: ("✓✓", "read")
        }
      }
    let isShown = message.status.isWaiting && standing != nil
    return HTML(
      .span, [.class("state", receipt == .read ? "read" : "", message.status == .failed ? "failed" : "")]
    ) {
      HTML(.span, [.role("img"), .aria("label", words), .title(words)]) { HTML(sign) }
      if isShown { HTML(.span, [.class("standing")]) { HTML(words) } }
      if message.hasPendingAction {
        HTML(.span, [.role("img"), .aria("label", "A change is being sent")]) { HTML("🕓") }
      }
    }
  }

  private func reactions(of message: ChatMessage) -> HTML {
    HTML(.div, [.class("reactions")]) {
      for reaction in message.reactions {
        let isOwn = reaction.isBy(account)
        HTML(
          .button,
          [
            .plainButton, .data("do", isOwn ? "unreact" : "react"), .data("key", reaction.key.rawValue),
            .aria("pressed", isOwn ? "true" : "false"),
            .title(reaction.users.map(\.rawValue).joined(separator: ", ")),
          ]
        ) { HTML("\(reaction.key.rawValue) \(reaction.count)") }
      }
    }
  }

  private func tools(of message: ChatMessage) -> HTML {
    HTML(.div, [.class("tools"), .role("group"), .aria("label", "Actions for this message")]) {
      if message.status.isWaiting {
        tool("cancel", "✕", "Cancel")
      } else if message.status != .sent {
        tool("retry", "↻", "Try again")
        tool("delete", "✕", "Delete here")
      } else if !message.isRecalled {
        HTML(
          .button,
          [.plainButton, .data("do", "react"), .data("key", "👍"), .aria("label", "Like"), .title("Like")]
        ) { HTML("👍") }
        HTML(
          .button,
          [.plainButton, .data("do", "react"), .data("key", "❤️"), .aria("label", "Love"), .title("Love")]
        ) { HTML("❤️") }
        tool("reply", "↩", "Reply")
        tool("forward", "↪", "Forward")
        for label in FlagLabel.all { tool(label, isSet: message.flags.contains(label.flag)) }
        if message.isOwn, message.kind == TextContent.kind { tool("edit", "✎", "Edit") }
        if message.isOwn { tool("recall", "⌫", "Recall for everyone") }
        tool("delete", "✕", "Delete here")
      } else {
        tool("delete", "✕", "Delete here")
      }
    }
  }

  private func tool(_ label: FlagLabel, isSet: Bool) -> HTML {
    let words = (isSet ? label.reverse : label.verb).capitalized
    return HTML(
      .button,
      [
        .plainButton, .data("do", isSet ? "unflag" : "flag"), .data("key", label.flag.rawValue),
        .aria("label", words), .title(words),
      ]
    ) { HTML(label.sign) }
  }

  private func tool(_ action: String, _ sign: String, _ words: String) -> HTML {
    HTML(.button, [.plainButton, .data("do", action), .aria("label", words), .title(words)]) { HTML(sign) }
  }
}
