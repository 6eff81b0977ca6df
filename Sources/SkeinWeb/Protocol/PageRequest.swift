import Skein
import SkeinCards

/// A request that the page sends to the program.
///
/// On the wire, a request is one JSON object: `do` is the name of the request, and the other members are its
/// parameters. A request that is unknown or lacks a required parameter fails to decode.
enum PageRequest: Sendable, Equatable {
  case open(ConversationID, at: JumpTarget?)
  /// Opens the chat with the user of this name, and creates the chat if there is none.
  case begin(String)
  case search(String)
  /// Lists the starred messages of all chats or the pinned messages of the open chat, in place of search
  /// results.
  case list(MessageFlag)
  case keepDraft(String, in: ConversationID)
  case answerInvitation(ConversationID, accepts: Bool)
  /// Opens the menu of a conversation's settings.
  case chooseSetting(ConversationID)
  case set(ConversationSetting, to: Bool, for: ConversationID)
  /// Marks a conversation as read that need not be open.
  case markRead(ConversationID)
  case send(SendRequest)
  case forward(LocalMessageID, to: ConversationID)
  /// A request in a chat; ignored unless the page shows this chat.
  case chat(ConversationID, ChatRequest)
}

/// A text to send as a message or a reply, or the new text of a message.
struct SendRequest: Sendable, Equatable {
  enum Mode: Sendable, Equatable {
    case new
    case reply(to: LocalMessageID)
    case edit(LocalMessageID)
  }
  let text: String
  let conversation: ConversationID
  let mode: Mode
}

/// A request that concerns the chat that the page shows.
enum ChatRequest: Sendable, Equatable {
  case fetch(PageDirection)
  case goToNewest
  /// Fills the gap at this index of the list.
  case fill(index: Int)
  case jump(to: JumpTarget)
  case markRead
  case noteTyping
  case card(CardRequest)
  case message(LocalMessageID, MessageRequest)
}

/// The direction in which a list grows. The raw values are the values on the wire.
enum PageDirection: String, Codable, Sendable {
  case older, newer
}

enum JumpTarget: Sendable, Equatable {
  case message(LocalMessageID)
  /// A message that need not be stored locally, by its server id.
  case remote(ServerMessageID)
  case moment(Timestamp)
}

/// An action of a card's component.
struct CardRequest: Sendable, Equatable {
  let message: LocalMessageID
  let component: ComponentID
  let action: CardAction.Name
  let value: String?
}

/// A request that concerns one message of the chat.
enum MessageRequest: Sendable, Equatable {
  /// Prepares the composer for a reply to the message, or for an edit of the message.
  case startReply, startEdit
  case react(ReactionKey), unreact(ReactionKey)
  case setFlag(MessageFlag, to: Bool)
  case recall, retry, cancel, delete
  /// Lists the chats to forward the message to.
  case chooseForward
}
