import Skein
import SkeinCards

extension PageRequest: Decodable {
  init(from decoder: any Decoder) throws {
    let fields = try PageRequestFields(decoder)
    switch fields.name {
    case "open": self = .open(try fields.conversation(), at: try JumpTarget(message: fields))
    case "new": self = .begin(try fields.textIfPresent() ?? "")
    case "search": self = .search(try fields.textIfPresent() ?? "")
    case "flagged": self = .list(try fields.flag())
    case "draft": self = .keepDraft(try fields.text(), in: try fields.conversation())
    case "accept", "decline":
      self = .answerInvitation(try fields.conversation(), accepts: fields.name == "accept")
    case "settings": self = .chooseSetting(try fields.conversation())
    case "set", "unset":
      self = .set(try fields.setting(), to: fields.name == "set", for: try fields.conversation())
    case "markRead": self = .markRead(try fields.conversation())
    case "send": self = .send(try SendRequest(fields))
    case "forwardTo": self = .forward(try fields.message(), to: try fields.conversation())
    default: self = .chat(try fields.conversation(), try ChatRequest(fields))
    }
  }
}

extension SendRequest {
  fileprivate init(_ fields: PageRequestFields) throws {
    (text, conversation) = (try fields.text(), try fields.conversation())
    switch (try fields.stringIfPresent(.action), try fields.messageIfPresent()) {
    case ("reply", let message?): mode = .reply(to: message)
    case ("edit", let message?): mode = .edit(message)
    default: mode = .new
    }
  }
}

extension ChatRequest {
  fileprivate init(_ fields: PageRequestFields) throws {
    switch fields.name {
    case "older": self = .fetch(.older)
    case "newer": self = .fetch(.newer)
    case "newest": self = .goToNewest
    case "fill": self = .fill(index: try fields.values.decode(Int.self, forKey: .index))
    case "jump": self = .jump(to: try JumpTarget(fields))
    case "read": self = .markRead
    case "typing": self = .noteTyping
    case "card":
      self = .card(
        CardRequest(
          message: try fields.message(), component: ComponentID(rawValue: try fields.string(.component)),
          action: CardAction.Name(rawValue: try fields.string(.action)),
          value: try fields.stringIfPresent(.value)))
    default: self = .message(try fields.message(), try MessageRequest(fields))
    }
  }
}

extension JumpTarget {
  fileprivate init(_ fields: PageRequestFields) throws {
    self =
      try JumpTarget(message: fields)
      ?? .moment(Timestamp(milliseconds: try fields.values.decode(Int64.self, forKey: .time)))
  }

  /// The message to which a request refers; nil if it refers to none.
  fileprivate init?(message fields: PageRequestFields) throws {
    if let message = try fields.messageIfPresent() {
      self = .message(message)
    } else if let name = try fields.stringIfPresent(.server) {
      self = .remote(ServerMessageID(rawValue: name))
    } else {
      return nil
    }
  }
}

extension MessageRequest {
  fileprivate init(_ fields: PageRequestFields) throws {
    switch fields.name {
    case "reply": self = .startReply
    case "edit": self = .startEdit
    case "react": self = .react(ReactionKey(rawValue: try fields.string(.key)))
    case "unreact": self = .unreact(ReactionKey(rawValue: try fields.string(.key)))
    case "recall": self = .recall
    case "flag": self = .setFlag(try fields.flag(), to: true)
    case "unflag": self = .setFlag(try fields.flag(), to: false)
    case "retry": self = .retry
    case "cancel": self = .cancel
    case "delete": self = .delete
    case "forward": self = .chooseForward
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .do, in: fields.values, debugDescription: "unknown request \(fields.name)")
    }
  }
}

/// The members of a request's JSON object.
private struct PageRequestFields {
  enum Key: String, CodingKey {
    case `do`, chat, message, server, text, key, time, index, component, action, value
  }
  let values: KeyedDecodingContainer<Key>
  let name: String

  init(_ decoder: any Decoder) throws {
    values = try decoder.container(keyedBy: Key.self)
    name = try values.decode(String.self, forKey: .do)
  }

  func string(_ key: Key) throws -> String { try values.decode(String.self, forKey: key) }

  func stringIfPresent(_ key: Key) throws -> String? { try values.decodeIfPresent(String.self, forKey: key) }

  func text() throws -> String { try string(.text) }

  func flag() throws -> MessageFlag { MessageFlag(rawValue: try string(.key)) }

  func setting() throws -> ConversationSetting {
    try values.decode(ConversationSetting.self, forKey: .key)
  }

  func textIfPresent() throws -> String? { try stringIfPresent(.text) }

  func conversation() throws -> ConversationID {
    ConversationID(rawValue: try values.decode(Int64.self, forKey: .chat))
  }

  func message() throws -> LocalMessageID {
    LocalMessageID(rawValue: try values.decode(Int64.self, forKey: .message))
  }

  func messageIfPresent() throws -> LocalMessageID? {
    try values.decodeIfPresent(Int64.self, forKey: .message).map { LocalMessageID(rawValue: $0) }
  }
}
