extension Wire {
  /// A text frame on `GET /v1/socket`: what it says, and what a `hello` has to say.
  public struct SocketFrame: Codable, Sendable, Equatable {
    /// What a frame says; to a client, one it doesn't know says what a poke says.
    public struct Kind: RawRepresentable, Codable, Sendable, Hashable {
      /// The name as it stands on the wire.
      public let rawValue: String
      /// A kind of this name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// From the server, the first frame: pokes come from here on.
      public static let hello = Kind(rawValue: "hello")
      /// From the server: something of the user's changed, so sync.
      public static let poke = Kind(rawValue: "poke")
      /// From the client: a ``SendFrame``.
      public static let send = Kind(rawValue: "send")
      /// From the server: an ``AckFrame``.
      public static let ack = Kind(rawValue: "ack")
      /// From the server: a ``TypingFrame``.
      public static let typing = Kind(rawValue: "typing")
      /// From the server: a ``PresenceFrame``.
      public static let presence = Kind(rawValue: "presence")
      /// From the server: a ``RefusedFrame``.
      public static let refused = Kind(rawValue: "refused")
    }

    /// What the frame says.
    public var type: Kind
    /// Whose socket it is, in a `hello`.
    public var user: UserID?
    /// Whether the server takes `send` frames, in a `hello`.
    public var sends: Bool?

    /// A frame of these parts.
    public init(type: Kind, user: UserID? = nil, sends: Bool? = nil) {
      self.type = type
      self.user = user
      self.sends = sends
    }
  }

  /// Tells that somebody else types, or has stopped.
  public struct TypingFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/typing``.
    public var type = SocketFrame.Kind.typing
    /// Where.
    public var conversation: ConversationID
    /// Who.
    public var user: UserID
    /// Whether they type.
    public var isTyping: Bool

    /// A frame of these parts.
    public init(conversation: ConversationID, user: UserID, isTyping: Bool) {
      self.conversation = conversation
      self.user = user
      self.isTyping = isTyping
    }
  }

  /// Tells whether somebody is connected who shares a conversation with the user: after the `hello` of all who are, and then of
  /// everyone who comes or goes.
  public struct PresenceFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/presence``.
    public var type = SocketFrame.Kind.presence
    /// Who.
    public var user: UserID
    /// Whether one of their devices is connected.
    public var isOnline: Bool
    /// When the last one was, in milliseconds since 1970. Missing of somebody who is online.
    public var lastSeen: Int64?

    /// A frame of these parts.
    public init(user: UserID, isOnline: Bool, lastSeen: Int64? = nil) {
      self.user = user
      self.isOnline = isOnline
      self.lastSeen = lastSeen
    }
  }

  /// A message that a client posts over the socket.
  public struct SendFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/send``.
    public var type = SocketFrame.Kind.send
    /// As in ``MessageRequest``; the same table of ids stands behind both ways.
    public var id: MessageID
    /// Where it goes.
    public var conversation: ConversationID
    /// As in ``MessageRequest``.
    public var kind: String
    /// As in ``MessageRequest``.
    public var content: String
    /// As in ``MessageRequest``.
    public var parameters: [String: String]?
    /// As in ``MessageRequest``.
    public var replyTo: MessageName?
    /// As in ``MessageRequest``.
    public var mentions: Mentions?

    /// A frame that posts a message.
    public init(_ message: MessageRequest, to conversation: ConversationID) {
      id = message.id
      self.conversation = conversation
      kind = message.kind
      content = message.content
      parameters = message.parameters
      replyTo = message.replyTo
      mentions = message.mentions
    }

    /// The message, as a `POST` would carry it.
    public var message: MessageRequest {
      MessageRequest(
        id: id, kind: kind, content: content, parameters: parameters ?? [:], replyTo: replyTo,
        mentions: mentions)
    }
  }

  /// What names a message on the socket, in both directions; the sender is the socket's user.
  public struct SentMessage: Sendable, Hashable {
    /// Where it goes.
    public var conversation: ConversationID
    /// The id it was sent with.
    public var id: MessageID

    /// A name of these parts.
    public init(conversation: ConversationID, id: MessageID) {
      self.conversation = conversation
      self.id = id
    }
  }

  /// Answers a ``SendFrame``: the message is on the server's disk.
  public struct AckFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/ack``.
    public var type = SocketFrame.Kind.ack
    /// The id it was sent with.
    public var id: MessageID
    /// Where it stands.
    public var conversation: ConversationID
    /// The server's name for it.
    public var serverID: ServerID
    /// Its place in the conversation, from 1 and without holes.
    public var position: Int64
    /// When the server took it, in milliseconds since 1970.
    public var time: Int64
    /// The life of the database that name and place belong to.
    public var epoch: Epoch?

    /// A frame that hands out a receipt.
    public init(_ receipt: MessageReceipt, in conversation: ConversationID) {
      id = receipt.id
      self.conversation = conversation
      serverID = receipt.serverID
      position = receipt.position
      time = receipt.time
      epoch = receipt.epoch
    }

    /// Which message it answers.
    public var sent: SentMessage { SentMessage(conversation: conversation, id: id) }
    /// What a `POST` would have been answered with.
    public var receipt: MessageReceipt {
      MessageReceipt(id: id, serverID: serverID, position: position, time: time, epoch: epoch)
    }
  }

  /// Answers a ``SendFrame`` that the server doesn't take.
  public struct RefusedFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/refused``.
    public var type = SocketFrame.Kind.refused
    /// The id it was sent with; none if the frame couldn't be read.
    public var id: MessageID?
    /// Where it should have gone; none if the frame couldn't be read.
    public var conversation: ConversationID?
    /// The status a `POST` would have been answered with.
    public var status: Int
    /// What went wrong.
    public var error: Failure
    /// After how many seconds to come back, where the server says so.
    public var retryAfter: Int64?
    /// The stored message, when its id is in use with other content.
    public var message: Message?

    /// A frame of these parts.
    public init(
      _ sent: SentMessage?, status: Int, error: Failure, retryAfter: Int64? = nil, message: Message? = nil
    ) {
      id = sent?.id
      conversation = sent?.conversation
      self.status = status
      self.error = error
      self.retryAfter = retryAfter
      self.message = message
    }

    /// Which message it answers; nil if the server couldn't read which.
    public var sent: SentMessage? {
      guard let id, let conversation else { return nil }
      return SentMessage(conversation: conversation, id: id)
    }
  }
}
