import SkeinStorage
import SkeinWire

/// A message that is to be stored: everything about it is known but its place.
struct Posting: Sendable {
  let conversation: ConversationID
  let sender: Wire.UserID
  let id: Wire.MessageID
  let kind: String
  let content: String
  /// JSON with sorted keys; nil where there are none.
  let parameters: String?
  /// The message that it replies to.
  let replyTo: Wire.MessageName?
  /// Whom it calls; nil where nobody.
  let mentions: Wire.Mentions?
  /// The files that its content names.
  let media: [Wire.MediaID]

  /// What became of it.
  enum Outcome: Sendable {
    case stored(StoredMessage)
    /// It was there already.
    case known(StoredMessage)
    /// Its id belongs to another message, which stays.
    case conflict(Wire.Message)
    /// The sender is no member.
    case refused
    /// The conversation does not have the message that it replies to.
    case replyToNothing

    /// The message as it stands, and whether it is new; the refusal where it doesn't.
    var message: (row: StoredMessage, isNew: Bool) {
      get throws {
        switch self {
        case .stored(let row): return (row, true)
        case .known(let row): return (row, false)
        case .refused: throw Refusal.notFound
        case .replyToNothing:
          throw Refusal(
            status: 404, code: .notFound,
            message: "The message that it replies to is not in the conversation."
          )
        case .conflict(let stored):
          throw Refusal(
            status: 409, code: .idInUse, message: "You posted something else with this id.",
            stored: stored)
        }
      }
    }
  }

  /// What a request posts; a 400 or 413 for what can't be a message.
  init(_ request: Wire.MessageRequest, by sender: Wire.UserID, in conversation: ConversationID, limit: Int)
    throws
  {
    let parameters = try request.parameters.flatMap { $0.isEmpty ? nil : try Wire.encode($0) }
    mentions = request.mentions.flatMap { $0.isEmpty ? nil : $0 }
    let beside = (parameters?.count ?? 0) + (try mentions.map { try Wire.encode($0).count } ?? 0)
    media = try Self.check(request.kind, request.content, and: beside, limit: limit)
    try Refusal.require(
      (1...128).contains(request.id.rawValue.unicodeScalars.count), "A message's id has 1 to 128 characters.")
    self.conversation = conversation
    self.sender = sender
    id = request.id
    kind = request.kind
    self.content = request.content
    replyTo = request.replyTo
    try Refusal.require(mentions?.users?.count ?? 0 <= 100, "A message calls 100 users by name at most.")
    self.parameters = parameters.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The files that a content names; a 400 or 413 for what can't be one, or with so many bytes beside it is too large.
  static func check(_ kind: String, _ content: String, and others: Int = 0, limit: Int) throws
    -> [Wire.MediaID]
  {
    let bytes = Array(content.utf8)
    guard bytes.count + others <= limit else { throw Refusal.tooLarge("A message's content", limit) }
    try Refusal.require((1...64).contains(kind.unicodeScalars.count), "A kind has 1 to 64 characters.")
    guard JSONText.accepts(bytes) else {
      throw Refusal(status: 400, code: .badJSON, message: "A message's content must be a JSON text.")
    }
    return Wire.MediaID.mentioned(in: bytes)
  }

  /// Stores it at the conversation's end, unless it is there or must not be.
  ///
  /// Everything is decided before the first write, so that a refused posting leaves its neighbours' transaction whole.
  func store(in transaction: WriteTransaction, at time: Int64) throws -> Outcome {
    guard try transaction.find(StoredMember.self, sender, conversation) != nil,
      let row = try transaction.find(StoredConversation.self, conversation)
    else { return .refused }
    let target = try replyTo.flatMap { try transaction.message($0, in: conversation) }
    if let known = try transaction.message(Wire.MessageName(sender: sender, id: id), in: conversation) {
      let isSameReply = known.replyTo == target?.position && (known.replyTo == nil) == (replyTo == nil)
      return isSame(as: known) && isSameReply ? .known(known) : .conflict(try transaction.wire([known])[0])
    }
    if replyTo != nil, target == nil { return .replyToNothing }
    let readable = try media.filter { try transaction.mayRead($0, sender) }

    let message = StoredMessage(
      conversation: conversation, position: row.head + 1, id: id, sender: sender, time: time, kind: kind,
      content: content, change: try transaction.nextChange(), parameters: parameters,
      replyTo: target?.position,
      mentions: try mentions.map { String(decoding: try Wire.encode($0), as: UTF8.self) })
    try transaction.insert(message)
    _ = try transaction.execute(
      "UPDATE conversation SET head = ?, change = ? WHERE id = ?", message.position, message.change,
      conversation)
    if let mentions { try transaction.call(mentions, by: message) }
    for id in readable { try transaction.upsert(StoredMediaReference(media: id, conversation: conversation)) }
    return .stored(message)
  }

  /// By bytes: two texts that Swift calls equal may be different content.
  private func isSame(as row: StoredMessage) -> Bool {
    row.kind.utf8.elementsEqual(kind.utf8) && row.content.utf8.elementsEqual(content.utf8)
      && (row.parameters ?? "").utf8.elementsEqual((parameters ?? "").utf8)
  }
}
