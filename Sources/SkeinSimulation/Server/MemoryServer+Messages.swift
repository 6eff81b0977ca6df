#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
package import SkeinModel
import Synchronization

/// How messages reach a ``MemoryServer``, and how the server drops messages.
extension MemoryServer {
  /// Stores a message, unless the next fault of ``fail(next:)`` prevents this.
  ///
  /// - Parameter previous: The message that was posted just before this message in the same pipeline. If the
  ///   previous message is not stored, this message is refused as out of order.
  package func send(_ message: OutgoingMessage, from user: UserID, after previous: MessageID? = nil) throws
    -> SendReceipt
  {
    let fault = state.withLock { state in state.faults.isEmpty ? Fault.none : state.faults.removeFirst() }
    try checkReachable()
    switch fault {
    case .requestLost: throw BackendError(.unreachable, "The request was lost.")
    case .refused: throw BackendError(.permanent, "The server rejects this.")
    case .busy(let retryAfter):
      throw BackendError(.transient, "The server is busy.", retryAfter: retryAfter)
    case .none, .responseLost: break
    }
    let stored = try post(message, from: user, after: previous)
    if fault == .responseLost {
      throw BackendError(.transient, "The response was lost.", outcomeIsUnknown: true)
    }
    return SendReceipt(serverID: stored.serverID, position: stored.position, time: stored.time, epoch: epoch)
  }

  /// Puts a message into a conversation as if another client had sent it.
  @discardableResult
  package func post(_ text: String, from sender: UserID, in ref: ConversationRef) throws -> IncomingMessage {
    try post(Self.message(text, from: sender, in: ref), from: sender)
  }

  /// Puts many messages into a conversation at once, as if another client had sent them.
  package func post(_ texts: [String], from sender: UserID, in ref: ConversationRef) throws {
    let members = try state.withLock { state in
      var members: [UserID] = []
      for text in texts {
        members = try take(Self.message(text, from: sender, in: ref), from: sender, after: nil, &state)
          .members
      }
      return members
    }
    poke(members)
  }

  private static func message(_ text: String, from sender: UserID, in ref: ConversationRef) -> OutgoingMessage
  {
    OutgoingMessage(
      id: MessageID(rawValue: "\(sender.rawValue)-\(text)"), conversation: ref, kind: "text",
      payload: Data(#"{"text":"\#(text)"}"#.utf8))
  }

  private func post(_ message: OutgoingMessage, from user: UserID, after previous: MessageID? = nil) throws
    -> IncomingMessage
  {
    let (stored, members) = try state.withLock { state in
      state.posts.append(message.id)
      return try take(message, from: user, after: previous, &state)
    }
    poke(members)
    return stored
  }

  /// - Returns: The stored message, and the users to notify.
  private func take(
    _ message: OutgoingMessage, from user: UserID, after previous: MessageID?, _ state: inout State
  ) throws -> (stored: IncomingMessage, members: [UserID]) {
    guard let room = state.rooms.firstIndex(where: { $0.info.ref == message.conversation.original }),
      let members = state.rooms[room].info.members
    else { throw BackendError(.permanent, "There is no such conversation.") }
    let known = state.rooms[room].messages.first {
      $0.message.sender == user && $0.message.messageID == message.id && remembers($0)
    }
    if let known { return (known.message, []) }
    guard members.contains(user) else { throw BackendError(.permanent, "There is no such conversation.") }
    guard state.rooms[room].ref == message.conversation else {
      throw BackendError(.transient, "The conversation has another ref now.")
    }
    let isInOrder =
      previous == nil
      || state.rooms[room].messages.contains {
        $0.message.sender == user && $0.message.messageID == previous
      }
    guard isInOrder else { throw BackendError.outOfOrder() }
    let replied = try message.replyTo.map { try state.rooms[room].reference($0) }
    state.change += 1
    let position = Int64(state.rooms[room].messages.count + 1)
    let stored = IncomingMessage(
      serverID: ServerMessageID(rawValue: "\(message.conversation.original.rawValue)/\(position)"),
      messageID: message.id, sender: user, position: Position(rawValue: position),
      time: time ?? Timestamp(milliseconds: Int64(state.change + state.undone)), kind: message.kind,
      payload: message.payload, parameters: message.parameters, reactions: [],
      quote: replied.map { IncomingQuote(message: $0) }, mentions: message.mentions,
      isCountable: message.isCountable)
    state.rooms[room].messages.append(
      Stored(message: stored, posted: stored, change: state.change, at: now()))
    state.rooms[room].change = state.change
    return (stored, members)
  }

  /// The idempotency that the server declares. A declared window is shorter than the actual window, since a
  /// request may arrive after its sender has stopped waiting.
  package var promise: BackendCapabilities.Idempotency {
    if case .window(let duration) = idempotency { return .window(duration - .seconds(60)) }
    return idempotency
  }

  private func remembers(_ stored: Stored) -> Bool {
    switch idempotency {
    case .forever: true
    case .window(let duration): now() - stored.at <= duration
    case .none: false
    }
  }

  /// Drops all but the newest messages of a conversation, like a server with a limited history.
  package func trim(_ ref: ConversationRef, keeping count: Int) {
    state.withLock { state in
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == ref.original }) else { return }
      state.rooms[room].trimmed = max(state.rooms[room].trimmed, state.rooms[room].messages.count - count)
    }
  }

  /// Accepts a file, and stores only its id. The id of a small file contains the file's content.
  package func upload(_ source: UploadSource) throws -> RemoteMedia {
    try checkReachable()
    let data = try Data(contentsOf: source.file)
    let name = data.count < 100 ? String(decoding: data, as: UTF8.self) : String(data.count)
    let media = RemoteMedia(id: "media-\(name)", size: Int64(data.count), type: source.type)
    state.withLock { state in
      state.uploads += 1
      state.media.insert(media.id)
    }
    return media
  }
}
