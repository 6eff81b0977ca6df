import Skein
import SkeinCards
import SkeinTerminal

// Records of messages. Fields that are absent are nil; times are in milliseconds since 1970.

struct MessageRecord: Codable, Equatable, Sendable {
  enum Status: String, Codable, Sendable {
    case queued, sending, sent, failed, uncertain

    init(_ status: MessageStatus) {
      switch status {
      case .queued: self = .queued
      case .sending: self = .sending
      case .sent: self = .sent
      case .failed: self = .failed
      case .uncertain: self = .uncertain
      }
    }
  }

  /// The message's local id.
  var id: Int64
  var messageID: String
  var serverID: String?
  var sender: String
  /// Whether this account sent the message.
  var own: Bool
  var time: Int64
  var kind: String
  /// The content as plain text.
  var text: String
  /// The fields of a place, a picture or another file; absent for other kinds.
  var content: ContentRecord?
  var status: Status
  /// The reason why the message was not sent. For a sent message: the reason why the last action on the
  /// message failed.
  var reason: String?
  /// When the sender last edited the message.
  var edited: Int64?
  /// The number of users by reaction.
  var reactions: [String: Int]?
  /// The names of the message's flags, such as `pin`, sorted; absent if there are no flags.
  var flags: [String]?
  /// True while an edit, a recall, a reaction or a flag is on its way to the server, absent otherwise.
  var pending: Bool?
  /// The message to which this message replies.
  var quote: QuoteRecord?
  /// 1 if the message mentions this account, absent otherwise.
  var mentions: Int?
  /// The name of the message's chat; present only in `found`.
  var name: String?
}

extension MessageRecord {
  init(_ message: ChatMessage, chat: String? = nil) {
    self.init(
      id: message.id.rawValue, messageID: message.messageID.rawValue, serverID: message.serverID?.rawValue,
      sender: message.sender.rawValue, own: message.isOwn, time: message.time.rawValue,
      kind: message.kind.rawValue, text: message.content.displayedText,
      content: ContentRecord(message.content), status: Status(message.status),
      reason: message.failure?.message, edited: message.edited?.rawValue,
      flags: message.flags.isEmpty ? nil : message.flags.map(\.rawValue).sorted(),
      pending: message.hasPendingAction ? true : nil,
      quote: message.quote.map(QuoteRecord.init), mentions: message.isMention ? 1 : nil, name: chat)
    let counts = message.reactions.map { ($0.key.rawValue, $0.count) }
    reactions = counts.isEmpty ? nil : Dictionary(counts) { $1 }
  }
}

/// A message to which another message replies.
struct QuoteRecord: Codable, Equatable, Sendable {
  /// The message's local id, if it is stored locally.
  var id: Int64?
  var messageID: String?
  var serverID: String?
  var sender: String
  /// The content as plain text, if it is known.
  var text: String?

  init(_ quote: Quote) {
    id = quote.id?.rawValue
    (messageID, serverID) = (quote.message.messageID?.rawValue, quote.message.serverID?.rawValue)
    (sender, text) = (quote.sender.rawValue, quote.content?.displayedText)
  }
}

/// The fields of a place, a picture or another file.
struct ContentRecord: Codable, Equatable, Sendable {
  var latitude: Double?
  var longitude: Double?
  var name: String?
  /// The media server's id of an uploaded picture or file.
  var media: String?
  var size: Int64?
  var width: Int?
  var height: Int?

  init?(_ content: StoredContent) {
    if let location = content.as(LocationContent.self) {
      (latitude, longitude, name) = (location.latitude, location.longitude, location.name)
    } else if let image = content.as(ImageContent.self) {
      (width, height) = (image.width, image.height)
    } else if let file = content.as(FileContent.self) {
      name = file.name
    } else if content.media == nil {
      return nil
    }
    (media, size) = (content.media?.id, content.media?.size)
  }
}

/// A message with a flag. The message need not be stored on this device.
struct FlaggedRecord: Codable, Equatable, Sendable {
  /// The message's local id, if it is stored locally.
  var id: Int64?
  var serverID: String?
  var sender: String
  var time: Int64
  var kind: String
  var text: String
  /// The name of the message's chat.
  var name: String
}

extension FlaggedRecord {
  init(_ entry: ListedMessage) {
    let message = entry.message
    self.init(
      id: message.id?.rawValue, serverID: message.message.serverID?.rawValue,
      sender: message.sender.rawValue, time: message.time.rawValue, kind: message.content.kind.rawValue,
      text: message.content.displayedText, name: entry.chat)
  }
}

/// A plugin has changed the card of a message.
struct ReloadedRecord: Codable, Equatable, Sendable {
  /// The message's local id.
  var id: Int64
  var messageID: String
  /// The card's lines.
  var text: String
}

/// An action of a card; `/do N` performs the N-th action of the list, counted from 1.
struct OfferRecord: Codable, Equatable, Sendable {
  /// The message's local id.
  var id: Int64
  var component: String
  var action: String
  var value: String?
  var title: String

  init(_ offer: TerminalOffer) {
    (id, component) = (offer.card.id.rawValue, offer.component.rawValue)
    (action, value, title) = (offer.action.name.rawValue, offer.action.value, offer.action.title)
  }
}

/// A card or a plugin opens a page of the app.
struct PageOfAppRecord: Codable, Equatable, Sendable {
  /// The message's local id.
  var id: Int64
  var name: String
  var parameters: [String: String]
}
