import Foundation
import Skein
import SkeinCards
import SkeinTerminal

/// An event as `--json` writes it and a script reads it; absent fields are left out.
struct EventRecord: Codable, Equatable, Sendable {
  /// `connection`, `sync`, `conversation`, `list`, `opened`, `message`, `reloaded`, `offers`, `opens`, `gap`, `stored`,
  /// `standing`, `waiting`, `found`, `pinned`, `cancelled`, `page`, `saved`, `read`, `receipt`, `retried`, `problem`, `ended`.
  var event: String
  /// How a list changed: `inserted`, `removed`, `changed`; a move is the first two with `moves`.
  var change: String?
  var moves: Bool?
  /// The place in the list, counted from 0, at the moment of this step.
  var index: Int?

  /// The row on this device: of a message in `message`, `reloaded`, `opens`, `stored`, `standing` and `cancelled`, of a
  /// conversation in `conversation` and `opened`.
  var id: Int64?
  var messageID: String?
  var serverID: String?
  var sender: String?
  var own: Bool?
  /// Milliseconds since 1970.
  var time: Int64?
  var kind: String?
  /// One line of plain text that stands for the content; of `reloaded`, the card's lines.
  var text: String?
  /// The content's own fields, where the kind is known.
  var content: ContentRecord?
  /// `queued`, `sending`, `sent`, `failed`, `uncertain`.
  var status: String?
  /// When its sender last edited it, in milliseconds since 1970.
  var edited: Int64?
  /// How many react, by what they react with.
  var reactions: [String: Int]?
  /// Whether it is pinned.
  var pinned: Bool?
  /// Whether an edit, a recall, a reaction or a pin is on its way to the server.
  var pending: Bool?
  /// What a message replies to.
  var quote: QuoteRecord?
  /// Why a message or catching up failed, a conversation was refused or a connection is signed out, or what can't be
  /// done.
  var reason: String?

  /// A conversation's name; of `opens`, the page's.
  var name: String?
  /// What the page needs to know, of `opens`.
  var parameters: [String: String]?
  /// Whose plugin did wrong, of a `problem` that is about one.
  var business: String?
  var unread: Int?
  /// Whether more may be unread than `unread`.
  var unreadIsAtLeast: Bool?
  /// How many of the unread messages call this account, of a `conversation`; or whether a `message` does.
  var mentions: Int?

  /// Of a `connection`: `stopped`, `connecting`, `online`, `offline`, `signedOut`; of `sync`: `caughtUp`, `failed`; of a
  /// `standing`: `queued`, `behind`, `waitingForConnection`, `signedOut`, `waiting`, `preparing`, `posting`, `parked`,
  /// `elsewhere`; of `cancelled`: `cancelled`, `tooLate`, `unknown`; of a `gap`: `open`, `stalled`, `unavailable`;
  /// of a `receipt`: `sent`, `delivered`, `read`; of a plugin's `problem`: what kind of problem it is.
  var state: String?
  /// Who has read a message, of a `receipt`.
  var readers: [String]?
  /// When a message is tried next, in milliseconds since 1970.
  var until: Int64?
  /// What of a message's attachments is on the server, 0 to 100.
  var percent: Int?
  /// The kind of the message that goes first.
  var behind: String?
  /// What a person is shown of a message on its way.
  var note: String?
  /// What was found, of `found`; a `message` each, with its chat's `name`. What is pinned, of `pinned`.
  var found: [EventRecord]?
  /// What can be done with the chat's cards, of `offers`.
  var offers: [OfferRecord]?
  /// What waits, of `waiting`; a `standing` each.
  var waiting: [EventRecord]?
  /// Messages in the list, messages tried again, messages that wait, or things that can be done.
  var count: Int?
  var hasMore: Bool?
  /// Whether the list does not stand at the chat's newest message.
  var hasNewer: Bool?
  var path: String?
  var size: Int64?

  init(event: String) { self.event = event }
}

/// The message that another one replies to.
struct QuoteRecord: Codable, Equatable, Sendable {
  /// The row on this device, where it is here.
  var id: Int64?
  var messageID: String?
  var serverID: String?
  var sender: String
  /// One line of plain text that stands for its content, where that is known.
  var text: String?

  init(_ quote: Quote) {
    id = quote.id?.rawValue
    (messageID, serverID) = (quote.message.messageID?.rawValue, quote.message.serverID?.rawValue)
    (sender, text) = (quote.sender.rawValue, quote.content?.displayedText)
  }
}

/// Something that can be done with a card: `/do` takes its place in the list, counted from 1.
struct OfferRecord: Codable, Equatable, Sendable {
  /// The row of the message on this device.
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

/// The fields of the kinds that the client knows.
struct ContentRecord: Codable, Equatable, Sendable {
  var latitude: Double?
  var longitude: Double?
  var name: String?
  /// The media server's name for a picture or a file, once it is there.
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

extension MessageStatus {
  /// The status as scripts know it.
  var name: String {
    switch self {
    case .queued: "queued"
    case .sending: "sending"
    case .sent: "sent"
    case .failed: "failed"
    case .uncertain: "uncertain"
    }
  }
}
