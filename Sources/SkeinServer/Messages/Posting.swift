import SkeinStorage
import SkeinWire

/// A validated message before it is stored. It has no time, no position and no change number yet.
struct Posting: Sendable {
  let conversation: ConversationID
  let sender: Wire.UserID
  let id: Wire.MessageID
  let kind: String
  let content: String
  /// The parameters as JSON with sorted keys; nil if there are none.
  let parameters: String?
  /// The message that this message replies to; nil if this message is not a reply.
  let replyTo: Wire.MessageName?
  /// The mentions; nil if there are none.
  let mentions: Wire.Mentions?
  /// The sender's message that must be stored before this one; nil if there is none.
  let after: Wire.MessageID?
  /// Whether the message counts as unread.
  let isCountable: Bool
  /// The files that the content refers to.
  let media: [Wire.MediaID]

  /// The result of storing a message.
  enum Outcome: Sendable {
    case stored(StoredMessage)
    /// The same message was stored earlier.
    case known(StoredMessage)
    /// Another message with this id is stored already, and stays unchanged.
    case conflict(Wire.Message)
    /// The sender is not a member.
    case refused
    /// The message that this message replies to is not in the conversation.
    case missingReplyTarget
    /// The message that must be stored before this one is not stored.
    case outOfOrder

    /// The stored message and whether it is new; throws the refusal if no message was stored.
    var message: (row: StoredMessage, isNew: Bool) {
      get throws {
        switch self {
        case .stored(let row): return (row, true)
        case .known(let row): return (row, false)
        case .refused: throw Refusal.notFound
        case .missingReplyTarget:
          throw Refusal(
            status: 404, code: .notFound,
            message: "The message that it replies to is not in the conversation.")
        case .outOfOrder:
          throw Refusal(
            status: 409, code: .outOfOrder, message: "The message posted before this one is not stored.")
        case .conflict(let stored):
          throw Refusal(
            status: 409, code: .idInUse, message: "This id belongs to another message of yours.",
            stored: stored)
        }
      }
    }
  }

  /// Validates a request; throws a 400 or 413 if the request is not a valid message.
  init(_ request: Wire.MessageRequest, by sender: Wire.UserID, in conversation: ConversationID, limit: Int)
    throws
  {
    let parameters = try request.parameters.flatMap { $0.isEmpty ? nil : try Wire.encode($0) }
    mentions = request.mentions.flatMap { $0.isEmpty ? nil : $0 }
    let otherBytes = (parameters?.count ?? 0) + (try mentions.map { try Wire.encode($0).count } ?? 0)
    media = try Self.validate(request.kind, request.content, and: otherBytes, limit: limit)
    try Refusal.require(
      (1...128).contains(request.id.rawValue.unicodeScalars.count), "A message's id has 1 to 128 characters.")
    self.conversation = conversation
    self.sender = sender
    id = request.id
    kind = request.kind
    self.content = request.content
    replyTo = request.replyTo
    after = request.after
    isCountable = request.isCountable ?? true
    try Refusal.require(mentions?.users?.count ?? 0 <= 100, "A message mentions at most 100 users by name.")
    self.parameters = parameters.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Validates a kind and a content; throws a 400 or 413. `others` is a number of further bytes that count
  /// towards the content's limit.
  ///
  /// - Returns: the files that the content refers to.
  static func validate(_ kind: String, _ content: String, and others: Int = 0, limit: Int) throws
    -> [Wire.MediaID]
  {
    let bytes = Array(content.utf8)
    try check(bytes.count, and: others, limit: limit)
    try Refusal.require((1...64).contains(kind.unicodeScalars.count), "A kind has 1 to 64 characters.")
    try Refusal.require(
      kind != StoredMessage.recalledKind, "A message gets the kind `recalled` by a recall only.")
    guard JSONText.accepts(bytes) else {
      throw Refusal(status: 400, code: .badJSON, message: "A message's content must be a JSON text.")
    }
    return Wire.MediaID.found(in: bytes)
  }

  /// Throws a 413 if a content and the bytes that count together with it are too large.
  static func check(_ bytes: Int, and others: Int, limit: Int) throws {
    guard bytes + others <= limit else { throw Refusal.tooLarge("A message's content", limit) }
  }

  /// Stores the message at the conversation's end, unless it is stored already or refused.
  ///
  /// Every check precedes the first write. So a refused message leaves no change in the transaction, which
  /// other messages share.
  func store(in transaction: WriteTransaction, at time: Int64) throws -> Outcome {
    let isMember = try transaction.find(StoredMember.self, sender, conversation) != nil
    let target = try replyTo.flatMap { try transaction.message($0, in: conversation) }
    // A sender who got no answer and has left the conversation since still learns that the message is stored.
    if let known = try transaction.message(Wire.MessageName(sender: sender, id: id), in: conversation) {
      let isSameReply = known.replyTo == target?.position && (known.replyTo == nil) == (replyTo == nil)
      if isSame(as: known), isSameReply { return .known(known) }
      return isMember ? .conflict(try transaction.wire([known], for: sender)[0]) : .refused
    }
    guard isMember, let row = try transaction.find(StoredConversation.self, conversation) else {
      return .refused
    }
    if let after,
      try transaction.message(Wire.MessageName(sender: sender, id: after), in: conversation) == nil
    {
      return .outOfOrder
    }
    if replyTo != nil, target == nil { return .missingReplyTarget }
    let readable = try media.filter { try transaction.mayRead($0, sender) }

    let message = StoredMessage(
      conversation: conversation, position: row.head + 1, id: id, sender: sender, time: time, kind: kind,
      content: content, change: try transaction.nextChange(), parameters: parameters,
      replyTo: target?.position,
      mentions: try mentions.map { String(decoding: try Wire.encode($0), as: UTF8.self) },
      isCountable: isCountable)
    try transaction.insert(message)
    _ = try transaction.execute(
      "UPDATE conversation SET head = ?, change = ? WHERE id = ?", message.position, message.change,
      conversation)
    // Only mentions in countable messages are counted, so the mentions in other messages get no rows of their
    // own.
    if let mentions, isCountable { try transaction.insertMentions(mentions, of: message) }
    for id in readable { try transaction.upsert(StoredMediaReference(media: id, conversation: conversation)) }
    return .stored(message)
  }

  /// Compares bytes, since two strings that are equal in Swift can consist of different bytes.
  private func isSame(as row: StoredMessage) -> Bool {
    row.kind.utf8.elementsEqual(kind.utf8) && row.content.utf8.elementsEqual(content.utf8)
      && (row.parameters ?? "").utf8.elementsEqual((parameters ?? "").utf8)
  }
}
