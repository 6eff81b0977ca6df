import Skein
import SkeinCards
import SkeinTerminal

/// Something that whoever uses the client should hear of; every surface shows the same ones.
enum ChatEvent: Sendable {
  /// How things stand with the server.
  case connection(ConnectionState)
  /// Catching up began to fail, fails for another reason, or works.
  case sync(SyncStanding)
  /// The list of conversations took a step.
  case conversation(ListStep<Conversation>)
  /// The list of the open chat took a step; with the card of the message that is there now, where one is.
  case message(ListStep<MessageListItem>, MessageCardViewModel?)
  /// A plugin knows more of a message of the open chat: this is its card now.
  case reloaded(MessageCardViewModel)
  /// What can be done with the open chat's cards, because somebody asked for it.
  case offers([TerminalOffer])
  /// A plugin wants a page of the app opened.
  case opens(CardPage)
  /// A plugin did wrong.
  case fault(CardProblem)
  /// The open chat took all the steps of one update.
  case settled
  /// A chat was opened; so many messages follow.
  case opened(ConversationID, name: String, count: Int, hasMore: Bool)
  /// A message is on disk.
  case stored(SentMessage)
  /// How a message of the open chat stands on its way to the server, at this moment.
  case standing(ChatMessage, SendStanding, at: Timestamp)
  /// What waits in all chats, because somebody asked for it.
  case waiting([WaitingMessage], at: Timestamp)
  /// What was looked for, the newest first.
  case found([FoundMessage])
  case pinned([PinnedMessage])
  /// A message was to be taken back.
  case cancelled(ChatMessage, CancelOutcome)
  /// Older or newer messages were asked for and are in the list, which now has so many messages.
  case page(count: Int, hasMore: Bool, hasNewer: Bool = false)
  /// A picture or a file was saved.
  case saved(path: String, RemoteMedia)
  /// One's own last message of the open chat has come so far with the others, and these have read it.
  case receipt(ChatMessage, Receipts.Stage, readers: [UserID])
  /// The open chat was marked as read.
  case read
  /// Failed messages of the chat are waiting again.
  case retried(Int)
  /// The conversations, because somebody asked for them.
  case list([Conversation])
  /// Somebody has just come in.
  case welcome
  /// The commands that can be typed, one to a line.
  case help(String)
  /// What was asked for can't be done.
  case problem(String)
  /// The client ends, and so many messages wait for the next start.
  case ended(waiting: Int)
}

/// Turns events into text for one kind of reader.
protocol ChatSurface: Sendable {
  /// The text to write, with its line breaks; empty where the event means nothing on this surface.
  mutating func text(for event: ChatEvent) -> String
}
