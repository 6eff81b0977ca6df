extension Wire {
  /// A text frame on `GET /v1/socket`: the type that every frame has, and the fields of a `hello`.
  public struct SocketFrame: Codable, Sendable, Equatable {
    /// The type of a frame. A client treats a frame of unknown type as a poke.
    public struct Kind: RawRepresentable, Codable, Sendable, Hashable {
      /// The name on the wire.
      public let rawValue: String
      /// Wraps a name from the wire.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// From the server: the first frame on a socket. After this frame, the server announces every change
      /// with a poke, but announces a receipt only to the senders of the messages.
      public static let hello = Kind(rawValue: "hello")
      /// From the server: the user has news, which the client fetches by a sync.
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
    /// In a `hello`, the socket's user.
    public var user: UserID?
    /// In a `hello`, whether the server accepts `send` frames.
    public var sends: Bool?

    /// Creates a frame.
    public init(type: Kind, user: UserID? = nil, sends: Bool? = nil) {
      self.type = type
      self.user = user
      self.sends = sends
    }
  }

  /// Another member of a conversation is typing, or has stopped typing.
  public struct TypingFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/typing``.
    public var type = SocketFrame.Kind.typing
    /// The conversation.
    public var conversation: ConversationID
    /// The user.
    public var user: UserID
    /// Whether the user is typing.
    public var isTyping: Bool

    /// Creates a frame.
    public init(conversation: ConversationID, user: UserID, isTyping: Bool) {
      self.conversation = conversation
      self.user = user
      self.isTyping = isTyping
    }
  }

  /// The presence of another user who shares a conversation of at most 100 members with the socket's user.
  /// Two users do not receive each other's presence if one of them has removed the other as a contact. A
  /// removal, or its end, affects only sockets that open later.
  ///
  /// After the `hello`, the server sends a frame for each of these users who is online. Later, the server
  /// sends a frame when one of these users connects a device or disconnects the last device. When a
  /// conversation is created, the server sends a frame for each of its members who is one of these users and
  /// is online. A frame may repeat a known presence.
  public struct PresenceFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/presence``.
    public var type = SocketFrame.Kind.presence
    /// The user.
    public var user: UserID
    /// Whether one of the user's devices is connected.
    public var isOnline: Bool
    /// The time at which the user's last device disconnected, in milliseconds since 1970. Missing while the user is
    /// online.
    public var lastSeen: Int64?

    /// Creates a frame.
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
    /// As in ``MessageRequest``. An id means the same message on the socket and in a `POST`.
    public var id: MessageID
    /// The conversation that the message is posted to.
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
    /// As in ``MessageRequest``.
    public var after: MessageID?

    /// Creates a frame that posts a message.
    public init(_ message: MessageRequest, to conversation: ConversationID) {
      id = message.id
      self.conversation = conversation
      kind = message.kind
      content = message.content
      parameters = message.parameters
      replyTo = message.replyTo
      mentions = message.mentions
      isCountable = message.isCountable
      after = message.after
    }

    /// The same message, as the body of a `POST`.
    public var message: MessageRequest {
      MessageRequest(
        id: id, kind: kind, content: content, parameters: parameters ?? [:], replyTo: replyTo,
        mentions: mentions, isCountable: isCountable ?? true, after: after)
    }
  }

  /// Identifies a message that the socket's user posts: in its ``SendFrame`` and in the server's answer.
  public struct SentMessage: Sendable, Hashable {
    /// The conversation that the message is posted to.
    public var conversation: ConversationID
    /// The id that the sender's client gave the message.
    public var id: MessageID

    /// Creates the identification of a message.
    public init(conversation: ConversationID, id: MessageID) {
      self.conversation = conversation
      self.id = id
    }
  }

  /// The server's answer to a ``SendFrame``: the message is on the server's disk.
  public struct AckFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/ack``.
    public var type = SocketFrame.Kind.ack
    /// The message's id.
    public var id: MessageID
    /// The message's conversation.
    public var conversation: ConversationID
    /// The server's id of the message.
    public var serverID: ServerID
    /// The message's position in the conversation. Positions count from 1, without holes.
    public var position: Int64
    /// The time at which the server stored the message, in milliseconds since 1970.
    public var time: Int64
    /// The epoch of the server id and the position.
    public var epoch: Epoch?

    /// Creates a frame from a receipt.
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
    /// The same receipt, as the answer to a `POST`.
    public var receipt: MessageReceipt {
      MessageReceipt(id: id, serverID: serverID, position: position, time: time, epoch: epoch)
    }
  }

  /// The server's answer to a ``SendFrame`` that the server refuses.
  public struct RefusedFrame: Codable, Sendable, Equatable {
    /// Always ``SocketFrame/Kind/refused``.
    public var type = SocketFrame.Kind.refused
    /// The message's id; nil if the server could not decode the message's id and conversation.
    public var id: MessageID?
    /// The message's conversation; nil if the server could not decode the message's id and conversation.
    public var conversation: ConversationID?
    /// The HTTP status that the answer to a `POST` would have.
    public var status: Int
    /// The failure.
    public var error: Failure
    /// The seconds to wait before a retry; nil if the server requests no wait.
    public var retryAfter: Int64?
    /// If the id is in use: the message that the server stores under the id.
    public var message: Message?

    /// Creates a frame.
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

    /// The message that this frame answers; nil if the server could not decode the message's id and conversation.
    public var sent: SentMessage? {
      guard let id, let conversation else { return nil }
      return SentMessage(conversation: conversation, id: id)
    }
  }
}
