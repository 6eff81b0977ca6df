import SkeinStorage

// The whole way of a message, from `send` to the receiver's screen. Each step names its files, without `.swift`; a
// path that does not begin with a module is in `Sources/Skein`.
//
// On the sender's device:
//
// 1. Compose (`SkeinModel/Sending/SendParticipants`, `Outbox/MessagePreparation`, `Outbox/Composing`): the
//    participants may change or stop the draft, and attached files are copied. Then one transaction stores the
//    message and the operation that posts it.
// 2. Show (`Store/ChatStore`, `Store/UnitOfWork`, `Store/ChangeFeed`): `ChatStore.write` commits what `UnitOfWork` has
//    recorded. After each commit, the lists and the `Outbox` receive the changes. When `send` returns, the list shows
//    the message: as `queued`, or already with a later status.
// 3. Wait for the turn (`Outbox/Outbox`, `Outbox/OutboxLane`): each conversation has a lane, which posts one
//    operation at a time, or several messages together (`Outbox/Outbox+Pipelining`) where the backend keeps their
//    order. With the default `LanePolicy.mediaLane` (`SkeinModel/Sending/LanePolicy`), a text that is ready overtakes
//    media that are still being prepared; the media keep their order. In a new chat the first operation opens the chat
//    on the server (`Messages/ConversationOpenings`, `Outbox/Outbox+Attempts`), and
//    `Conversations/ConversationBook.completeOpening` stores its ref.
// 4. Prepare (`Outbox/PreparationSteps`, `Outbox/AttachmentUploads`, `Outbox/MessagePreparation+Participants`): the
//    status becomes `sending`, attachments are uploaded, then the participants are asked. A text that no participant
//    prepares skips this step.
// 5. Attempt (`Outbox/Outbox+Attempts`, `Outbox/Attempts`): `Attempts.start` commits the status `sending` and
//    `outcomeIsUnknown` before `backend.send` is called: if the answer is lost, the message may be on the server, and
//    its bytes must not change. The next attempt posts the message again with the same message id. If the server may no
//    longer recognize the id, or only under an earlier ref of the conversation, the message is looked up instead, and
//    becomes `uncertain` if it is not found; if the server never returns message ids, it becomes `uncertain` at once.
//    `Outbox/SendOutcome` decides the consequence of an error: after a broken connection all lanes wait, after other
//    errors this operation waits. After five failures while others succeed, later operations pass it; after
//    `ChatOptions.giveUpAfter` it is given up.
//    `Attempts.acknowledge` stores the status `sent` and, if the receipt has a position, the rank. On a server without
//    positions, `Messages/FloatingMessages` lists the message by its time until sync or a page returns it. The next
//    message of a lane without pipelining is usually started in the same transaction. `Outbox/Outbox+Durability`
//    tells which of these transactions survive a power cut. `MessageEnds.endSending` (`Messages/MessageEnds`) removes
//    the operation. Only the process that holds the lease (`Processes/Lease`) makes attempts; the work of
//    `ChatClient.start()` waits for the lease.
//
// Over the network:
//
// 6. Request (`Sync/RenewingBackend`, `SkeinHTTP/HTTPBackend`): `RenewingBackend` passes the call to the
//    app's backend. If the session has expired, `RenewingBackend` renews it. The attempt then fails and is
//    repeated. `HTTPBackend.send` posts the message by HTTP. If `HTTPOptions.sending` is `.socket`, the socket is open
//    and the server accepts messages over it, `send` sends a frame over the socket instead (`SkeinHTTP/Push/SendLine`,
//    `SkeinModel/Backend/AcknowledgedSends`), and posts by HTTP (`SkeinTransport`) only if the socket closes before
//    the answer. `SkeinHTTP/HTTPBackend+Pipelining` does this for several messages.
// 7. Store on the server: `SkeinServer/Endpoints/Endpoints+Messages` receives a message sent by HTTP, and
//    `SkeinServer/Endpoints/Endpoints+Sends` a message sent over the socket. `SkeinServer/Messages/Posting` validates the
//    message. `SkeinServer/Messages/MessageCommits` stores the message with the next commit: `Posting.store` recognizes a
//    repeated message by its conversation, sender and id, and gives a new message the next position. A repeated message
//    with other bytes is refused with the stored message, which the sender then adopts (`Attempts.adopt`). After the commit,
//    `SkeinServer/Push/PushHub` pokes the members of the conversation, the sender too, and the request is answered.
//    `SkeinServer/Endpoints/Endpoints+Socket` writes a frame without content to each socket.
//
// On the receiver's device:
//
// 8. Fetch (`SkeinHTTP/HTTPBackend+Push`, `Sync/Connection`, `Sync/CatchUpGate`, `Sync/CatchUp`): `HTTPBackend.run`
//    reads the frame, `Connection` receives the poke, and `CatchUp` fetches the changes since the stored cursor, from
//    `SyncReader` (`SkeinServer/Sync`) through `HTTPBackend.sync`. If the poke was lost, the next connection or the
//    timer of `CatchUpGate` starts the fetch: in the foreground, every `ChatOptions.pollInterval`. If the backend has
//    contacts, the first fetch waits for the contact diff, but at most ten seconds (`Sync/LaunchGate`).
//
//    On Matrix, `SkeinMatrix/Sending/MatrixBackend+Send` takes the place of steps 6 and 7, and
//    `SkeinMatrix/Push/MatrixBackend+Push` polls and pushes the changes themselves
//    (`SkeinMatrix/Sync/MatrixBackend+Sync`), which `Connection` passes to `CatchUp`.
// 9. Store (`Sync/Intake`, `Sync/IntakePlan`): one transaction stores messages, spans and cursor as planned.
//    `Conversations/ConversationBook.findOrCreate` finds the conversation, or creates it with its first message.
//    `Messages/MessageMerge` inserts new messages and updates stored ones. On the sender's device, this
//    includes the sent message, if the message is received before its receipt. `Messages/AbsentMessages` applies
//    edits, recalls, reactions and flags of older messages, and keeps those of messages in a gap. The derivations listed in
//    `Client/Derivations` compute quotes, previews, unread counts, lost messages and the places of failed messages in
//    the same transaction. Afterwards `Sync/Deliveries` reports to the server what was delivered.
// 10. Order and gaps (`Spans/SpanMap+Placing`, `Spans/SpanMap`): the position of a message becomes its rank, by which
//     the list is sorted. If the server has dense positions and a sync omits a position, the messages of the
//     sync below this position are not stored, and the list shows a gap there. There is also a gap if the
//     server returned only the newest messages; the list shows a gap between two messages. The list loads older
//     messages when the app extends it, and the messages of a gap when the list reaches it or the app calls
//     `ChatContext.fill`, all page by page (`Timeline/RemoteMessageLoader`).
// 11. Show (`Store/ChangeFeed`, `Timeline/ChatTimeline`): `Timeline/TimelineSync` decides which changes apply, and
//     `Timeline/MessageWindow` which messages are shown: new messages only while the window is at the newest end.
//     `ListPublisher` (`Lists/ListUpdates`) publishes each step, and the app reads it from `ChatContext.messages` and
//     `changes` (`Client/ChatContext`). A surface draws an item as a card
//     (`SkeinCards/Factory/MessageCardViewModelFactory`): in the terminal `SkeinCommand/Chat/ChatDesk`, on the web
//     page `SkeinWeb/Session/OpenChat`, whose steps (`SkeinWeb/Protocol/PagePatch`) go to `SkeinWeb/Assets/page.js`.
//
// On both devices:
//
// 12. Find (`Store/Search/SearchIndex`, `Messages/Search/SearchIndexing`, `Client/ChatClient+Search`): if a
//     transaction stores only a few messages, they are marked and indexed later: some seconds after they were
//     received or sent, or with the next search.

/// Sends messages to one conversation, from anywhere: no screen is needed.
public struct ChatMessenger: Sendable {
  /// The conversation that messages are sent to.
  public let conversation: ConversationID
  let store: ChatStore
  let preparation: MessagePreparation
  let outbox: Outbox

  /// Sends a message. When this returns, the message is on disk and at the end of the list. The message is
  /// then sent whatever happens to the app. It waits while the device is offline, and is retried after a
  /// temporary failure (see ``ChatOptions/giveUpAfter``). If the app is killed, sending continues at the next
  /// start. If a ``SendParticipant`` stops the message but keeps it, the list shows the message as failed. A
  /// list that shows older messages contains the new message only after ``ChatContext/jumpToNewest()``.
  ///
  /// - Returns: the message's handle, for observing its state.
  /// - Throws: ``ChatError`` if the conversation is unknown or closed, if the content can't be encoded or is
  ///   too large, or if an attached file can't be read; `StorageError` if the disk is full or fails; the
  ///   ``SendFailure`` of a participant that stops the message without keeping it. In each case nothing is
  ///   stored.
  @discardableResult
  public func send(_ content: some MessageContent) async throws -> SentMessage {
    try await send(content, after: nil)
  }

  /// Sends a reply as ``send(_:)`` sends a message. The target of the reply may be any message of the
  /// conversation, and is shown as the reply's ``ChatMessage/quote``. If the target is still to be sent, the
  /// reply waits for the target. If the target then fails, becomes uncertain or is cancelled, the reply
  /// fails.
  ///
  /// - Throws: ``ChatError`` if the server does not support replies, or if the target is unknown, recalled,
  ///   failed, uncertain or in another conversation; also the errors of ``send(_:)``.
  @discardableResult
  public func send(_ content: some MessageContent, replyingTo replied: LocalMessageID) async throws
    -> SentMessage
  {
    try await send(content, after: nil, replyingTo: replied)
  }

  /// Sends a message once the server has the message `target`, which may be in any conversation. If `replied`
  /// is given, the message is a reply to `replied`, and `target` is ignored.
  package func send(
    _ content: some MessageContent, after target: LocalMessageID?, replyingTo replied: LocalMessageID? = nil
  ) async throws -> SentMessage {
    let id = MessageID(rawValue: store.runtime.makeIdentifier())
    let message = MessageDraft(conversation: conversation, messageID: id, content: .known(content))
    do {
      let encoded = try preparation.encode(try store.participants.screen(message))
      defer { encoded.copying?.release() }
      let row = try await change {
        try Composing($0).compose(encoded, in: conversation, after: target, replyingTo: replied)
      }
      return SentMessage(row, self)
    } catch {
      await preparation.discardCopies(of: id)
      throw error
    }
  }

  /// Sends a failed or uncertain message again, at the end of the queue. A parked message keeps its place and
  /// is tried again at once.
  ///
  /// A failed message passes the ``SendParticipant``s again, like a new message. If a participant stops the
  /// message but keeps it, the message has already failed again when this returns. An uncertain message is
  /// sent with the same bytes again.
  ///
  /// - Throws: ``ChatError`` if the message is unknown or in another state, if its conversation is closed, or
  ///   if the message replies to a failed or uncertain message. Also the errors of ``send(_:)``. After an
  ///   error the stored message is unchanged.
  public func retry(_ id: LocalMessageID) async throws {
    while true {
      let row = try await store.read { try $0.find(MessageRow.self, id) }
      var encoded: EncodedMessage?
      if let row, row.status == .failed {
        let screened = try store.participants.screen(MessageDraft(row, kinds: store.kinds))
        encoded = try preparation.encode(screened, again: row)
      }
      defer { encoded?.copying?.release() }
      // The message may have failed or been edited meanwhile.
      let isRetried = try await change { [encoded] work in
        guard try work.rows.find(MessageRow.self, id)?.version == row?.version else { return false }
        try Composing(work).retry(id, as: encoded)
        return true
      }
      if isRetried { return }
    }
  }

  /// Cancels a message that the server does not have yet, or removes a failed message. Running uploads end. A
  /// running attempt to post continues.
  ///
  /// - Returns: the outcome, since an attempt may already have reached the server.
  /// - Throws: ``ChatError`` if the message is unknown, `StorageError` if the disk fails.
  @discardableResult
  public func cancel(_ id: LocalMessageID) async throws -> CancelOutcome {
    let (outcome, message) = try await change { try MessageEnds($0).cancel(id) }
    if outcome == .cancelled { await preparation.discardCopies(of: message) }
    return outcome
  }

  /// Stores a change of the conversation so that it survives a power cut; returns once open lists show it.
  func change<Result: Sendable>(_ body: @Sendable (UnitOfWork) throws -> Result) async throws -> Result {
    let result = try await store.write(.powerCut, body)
    await store.feed.updateLists(of: conversation)
    return result
  }
}
