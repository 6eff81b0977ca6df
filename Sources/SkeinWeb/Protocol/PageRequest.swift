import Skein

/// What somebody does on the page; anything that the page does not say is nil.
struct PageRequest: Decodable, Sendable {
  /// What is done: one of ``WebSession``'s words.
  let `do`: String
  let chat: Int64?
  let message: Int64?
  /// The server's name for a message that is not here.
  let server: String?
  let text: String?
  let key: String?
  /// A moment, in milliseconds since 1970.
  let time: Int64?
  /// A place in the list of messages.
  let index: Int?
  /// What a card's component is asked for.
  let component: String?
  let action: String?
  let value: String?

  var conversation: ConversationID? { chat.map { ConversationID(rawValue: $0) } }
  var messageID: LocalMessageID? { message.map { LocalMessageID(rawValue: $0) } }
}
