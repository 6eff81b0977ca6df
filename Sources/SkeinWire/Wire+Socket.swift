extension Wire {
  /// A text frame on `GET /v1/socket`: its type, and the fields of a `hello`.
  public struct SocketFrame: Codable, Sendable, Equatable {
    /// The type of a frame; a client treats an unknown one as a poke.
    public struct Kind: RawRepresentable, Codable, Sendable, Hashable {
      /// The name on the wire.
      public let rawValue: String
      /// A kind of this name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// From the server, the first frame: pokes follow from here on.
      public static let hello = Kind(rawValue: "hello")
      /// From the server: something has changed for the user, so sync.
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

    /// The type of the frame.
    public var type: Kind
    /// The socket's user, in a `hello`.
    public var user: UserID?
    /// Whether the server accepts `send` frames, in a `hello`.
    public var sends: Bool?

    /// Makes a frame.
    public init(type: Kind, user: UserID? = nil, sends: Bool? = nil) {
      self.type = type
      self.user = user
      self.sends = sends
    }
  }

  /// Another member is typing, or has stopped.
  public struct TypingFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/typing``.
    public var type = SocketFrame.Kind.typing
    /// The conversation.
    public var conversation: ConversationID
    /// The user.
    public var user: UserID
    /// Whether the user is typing.
    public var isTyping: Bool

    /// Makes a frame.
    public init(conversation: ConversationID, user: UserID, isTyping: Bool) {
      self.conversation = conversation
      self.user = user
      self.isTyping = isTyping
    }
  }

  /// The presence of a user who shares a conversation with the socket's user: sent after the `hello` for each
  /// such user who is online, and later whenever such a user connects or disconnects.
  public struct PresenceFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/presence``.
    public var type = SocketFrame.Kind.presence
    /// The user.
    public var user: UserID
    /// Whether one of the user's devices is connected.
    public var isOnline: Bool
    /// When the last device disconnected, in milliseconds since 1970. Missing while online.
    public var lastSeen: Int64?

    /// Makes a frame.
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
    /// As in ``MessageRequest``; both channels share one table of ids.
    public var id: MessageID
    /// The conversation it is sent to.
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
    /// As in ``MessageRequest``.
    public var isCountable: Bool?

    /// Makes a frame that posts a message.
    public init(_ message: MessageRequest, to conversation: ConversationID) {
      id = message.id
      self.conversation = conversation
      kind = message.kind
      content = message.content
      parameters = message.parameters
      replyTo = message.replyTo
      mentions = message.mentions
      isCountable = message.isCountable
    }

    /// The same message as the body of a `POST`.
    public var message: MessageRequest {
      MessageRequest(
        id: id, kind: kind, content: content, parameters: parameters ?? [:], replyTo: replyTo,
        mentions: mentions, isCountable: isCountable ?? true)
    }
  }

  /// Identifies a message on the socket, in both directions; its sender is the socket's user.
  public struct SentMessage: Sendable, Hashable {
    /// The conversation it is sent to.
    public var conversation: ConversationID
    /// Its id.
    public var id: MessageID

    /// Makes a name.
    public init(conversation: ConversationID, id: MessageID) {
      self.conversation = conversation
      self.id = id
    }
  }

  /// Answers a ``SendFrame``: the message is on the server's disk.
  public struct AckFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/ack``.
    public var type = SocketFrame.Kind.ack
    /// The message's id.
    public var id: MessageID
    /// The message's conversation.
    public var conversation: ConversationID
    /// The server's name for the message.
    public var serverID: ServerID
    /// Its position in the conversation, from 1 and without holes.
    public var position: Int64
    /// When the server stored it, in milliseconds since 1970.
    public var time: Int64
    /// The epoch of server id and position.
    public var epoch: Epoch?

    /// Makes a frame from a receipt.
    public init(_ receipt: MessageReceipt, in conversation: ConversationID) {
      id = receipt.id
      self.conversation = conversation
      serverID = receipt.serverID
      position = receipt.position
      time = receipt.time
      epoch = receipt.epoch
    }

    /// The message that this frame answers.
    public var sent: SentMessage { SentMessage(conversation: conversation, id: id) }
    /// The receipt that a `POST` returns.
    public var receipt: MessageReceipt {
      MessageReceipt(id: id, serverID: serverID, position: position, time: time, epoch: epoch)
    }
  }

  /// Answers a ``SendFrame`` that the server refuses.
  public struct RefusedFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/refused``.
    public var type = SocketFrame.Kind.refused
    /// The message's id; nil if the frame couldn't be read.
    public var id: MessageID?
    /// The message's conversation; nil if the frame couldn't be read.
    public var conversation: ConversationID?
    /// The HTTP status that the same refusal has in the answer to a `POST`.
    public var status: Int
    /// The failure.
    public var error: Failure
    /// The seconds to wait before a retry; nil if the server requests no wait.
    public var retryAfter: Int64?
    /// The stored message, if its id is in use with other content.
    public var message: Message?

    /// Makes a frame.
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

    /// The message that this frame answers; nil if the server couldn't read the message.
    public var sent: SentMessage? {
      guard let id, let conversation else { return nil }
      return SentMessage(conversation: conversation, id: id)
    }
  }
}
