import Skein
import SkeinCards
import SkeinTerminal

/// An event that a user of the client should know about. Every surface receives the same events.
enum ChatEvent: Sendable {
  /// The connection's state has changed.
  case connection(ConnectionState)
  /// Catching up has begun to fail, fails for another reason, or has succeeded.
  case sync(SyncStanding)
  /// A step of the list of conversations.
  case conversation(ListStep<Conversation>)
  /// A step of the open chat's list, with the card of the message that is now at the step's index.
  case message(ListStep<MessageListItem>, MessageCardViewModel?)
  /// A plugin has changed the card of a message of the open chat.
  case reloaded(MessageCardViewModel)
  /// The actions of the open chat's cards, as requested.
  case offers([TerminalOffer])
  /// A card or a plugin opens a page of the app.
  case opens(CardPage)
  /// A plugin has failed.
  case fault(CardProblem)
  /// All steps of one update of the open chat's list have been reported.
  case settled
  /// A chat was opened, or its list has jumped to another moment; `count` messages follow.
  case opened(ConversationID, name: String, count: Int, hasMore: Bool)
  /// A message is on disk.
  case stored(SentMessage)
  /// The state of an unsent message of the open chat, at the given time.
  case standing(ChatMessage, SendStanding, at: Timestamp)
  /// The unsent messages of all chats, as requested.
  case waiting([WaitingMessage], at: Timestamp)
  /// The results of a search, the newest first.
  case found([FoundMessage])
  /// The messages with a flag, as requested.
  case flagged(FlagLabel, [ListedMessage])
  /// The outcome of a cancellation.
  case cancelled(ChatMessage, CancelOutcome)
  /// A requested page of messages is now in the list, which has `count` messages.
  case page(count: Int, hasMore: Bool, hasNewer: Bool = false)
  /// A picture or a file was saved.
  case saved(path: String, RemoteMedia)
  /// The delivery stage and the readers of this account's last sent message in the open chat.
  case receipt(ChatMessage, Receipts.Stage, readers: [UserID])
  /// The open chat was marked as read.
  case read
  /// Failed or uncertain messages of the open chat are being sent again.
  case retried(Int)
  /// The conversations, as requested.
  case list([Conversation])
  /// A person has just started the client.
  case welcome
  /// The commands that can be typed, one to a line.
  case help(String)
  /// A request could not be carried out.
  case problem(String)
  /// The client ends while this many messages wait.
  case ended(waiting: Int)
}

/// Turns events into text for one kind of reader.
protocol ChatSurface: Sendable {
  /// The text to write, with its line breaks; empty if this surface does not show the event.
  mutating func text(for event: ChatEvent) -> String
}
