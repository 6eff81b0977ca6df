import Foundation
import Skein
import SkeinTesting

/// A server whose backends break one rule.
struct FaultyServer: StoppableServer, CuttableServer, LossyServer, SessionEndingServer,
  TokenExpiringServer, OutsidePostingServer, ContactEditingServer, InvitingServer, RestorableServer,
  FileHostingServer
{
  private let base = StyledServer(.dense)
  let fault: Fault
  private let memory = FaultMemory(user: "nobody")

  init(_ fault: Fault) { self.fault = fault }

  var batchSize: Int? { base.batchSize }
  func makeUser() async throws -> UserID { try await base.makeUser() }
  func makeBackend(for user: UserID) async throws -> any ChatBackend {
    FaultyBackend(
      base: try await base.makeBackend(for: user), fault: fault,
      memory: FaultMemory(user: user, shared: memory))
  }
  func stop() async throws { try await base.stop() }
  func start() async throws { try await base.start() }
  func cutConnections(of user: UserID) async throws { try await base.cutConnections(of: user) }
  func loseNextAnswer(to user: UserID, by loss: AnswerLoss) async throws {
    try await base.loseNextAnswer(to: user, by: loss)
  }
  func endSessions(of user: UserID) async throws { try await base.endSessions(of: user) }
  func expireTokens(of user: UserID) async throws { try await base.expireTokens(of: user) }
  func post(_ payload: Data, kind: MessageKind, from user: UserID, in conversation: ConversationRef)
    async throws
  {
    try await base.post(payload, kind: kind, from: user, in: conversation)
  }
  func hostFile(_ bytes: Data, type: String) async throws -> URL {
    try await base.hostFile(bytes, type: type)
  }
  func saveBackup() async throws { try await base.saveBackup() }
  func restoreBackup() async throws { try await base.restoreBackup() }
  func addContact(_ contact: UserID, of user: UserID) async throws {
    try await base.addContact(contact, of: user)
  }
  func removeContact(_ contact: UserID, of user: UserID) async throws {
    if !fault.flaws.contains(.keepsWhoIsRemoved) { try await base.removeContact(contact, of: user) }
  }
  func invite(_ user: UserID, to conversation: ConversationRef, by member: UserID) async throws {
    try await base.invite(user, to: conversation, by: member)
  }
  func withdrawInvitation(of user: UserID, to conversation: ConversationRef, by member: UserID) async throws {
    try await base.withdrawInvitation(of: user, to: conversation, by: member)
  }
}

/// A backend that breaks one rule and fulfills all others.
struct FaultyBackend: FullBackend {
  let base: any ChatBackend
  let fault: Fault
  let memory: FaultMemory

  var capabilities: BackendCapabilities {
    var capabilities = base.capabilities.routed(through: self)
    if fault.flaws.contains(.statesNoAnchors) { capabilities.history = [] }
    return capabilities
  }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    let (events, continuation) = AsyncStream.makeStream(of: BackendEvent.self)
    let run = Task { [base] in
      defer { continuation.finish() }
      try await base.run(since: cursor) { continuation.yield($0) }
    }
    do {
      try await withTaskCancellationHandler {
        for await event in events {
          if let event = fault.event(event, memory) { await receive(event) }
        }
        try await run.value
      } onCancel: {
        if !fault.flaws.contains(.runIgnoresCancellation) { run.cancel() }
      }
    } catch {
      if fault.flaws.contains(.runOutlivesConnection), !Task.isCancelled { await untilCancelled() }
      if !fault.flaws.contains(.swallowsTheEndOfRun) { throw altered(error) }
    }
    if fault.flaws.contains(.runOutlivesConnection), !Task.isCancelled { await untilCancelled() }
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    var request = (since: cursor, limit: limit)
    fault.syncRequest(&request, memory)
    return try await altering {
      var batch = try await ignoringCancellation(.syncIgnoresCancellation) { [request] in
        try await base.sync(since: request.since, limit: request.limit)
      }
      batch.from = cursor
      if fault.flaws.contains(.cursorRunsAhead), !batch.hasMore {
        await Task.yield()
        batch.next = try await base.sync(since: batch.next, limit: 1).next
      }
      for index in batch.conversations.indices {
        batch.conversations[index].messages = altered(batch.conversations[index].messages)
        batch.conversations[index].revised = altered(batch.conversations[index].revised)
        fault.info(&batch.conversations[index].info, memory)
      }
      fault.sync(&batch, memory)
      memory.with { [batch] in
        $0.asked.insert(cursor)
        $0.cursors[batch.next] = memory.device
      }
      return batch
    }
  }

  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    var request = (conversation: conversation, anchor: anchor, limit: limit)
    fault.pageRequest(&request, memory)
    return try await altering {
      do {
        var page = try await ignoringCancellation(.historyIgnoresCancellation) { [request] in
          try await base.history(of: request.conversation, at: request.anchor, limit: request.limit)
        }
        if fault.flaws.contains(.pagesByOffset) {
          let before = memory.with { state in
            if anchor == .newest { state.paged = 0 }
            return state.paged
          }
          page = try await base.history(of: conversation, at: .newest, limit: before + limit)
          page.messages.removeLast(min(before, page.messages.count))
          memory.with { [count = page.messages.count] in $0.paged += count }
        }
        if fault.flaws.contains(.newestForNothing), page.messages.isEmpty {
          page = try await base.history(of: request.conversation, at: .newest, limit: request.limit)
        }
        page.messages = altered(page.messages)
        fault.page(&page, memory)
        return page
      } catch let error as BackendError where error.code == .permanent {
        if fault.flaws.contains(.newestForUnknownMessage), case .message = anchor {
          return try await base.history(of: conversation, at: .newest, limit: limit)
        }
        guard fault.flaws.contains(.emptyPageForNothing) else { throw error }
        return HistoryPage(messages: [], reachesStart: true, reachesEnd: true)
      }
    }
  }

  func send(_ messages: [OutgoingMessage], report: @escaping SendReporter) async {
    await sendEach(fault.flaws.contains(.pipelinesBackwards) ? messages.reversed() : messages, report: report)
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    var message = message
    fault.outgoing(&message, memory)
    let (isKnown, isFirst, isAlone) = memory.with { [message, user = memory.user] state in
      let known = state.sent[message.id]
      state.sent[message.id] = known ?? message.conversation
      state.sending += 1
      state.lastSender = user
      return (known != nil, known == nil || known == message.conversation, state.sending == 1)
    }
    defer { memory.with { $0.sending -= 1 } }
    if isKnown, fault.flaws.contains(.remembersLostIDs) { return SendReceipt() }
    if !isFirst, fault.flaws.contains(.dropsIDsOfOtherConversations) { return SendReceipt() }
    if fault.flaws.contains(.dropsSendsAtOnce) {
      // One second is enough for another message to arrive, even on a busy machine.
      let end = ContinuousClock.now + .seconds(1)
      while memory.with({ $0.sending == 1 }), ContinuousClock.now < end { await Task.yield() }
      if !isAlone { return SendReceipt() }
    }
    return try await altering { [message] in
      var receipt = try await ignoringCancellation(.sendIgnoresCancellation) { try await base.send(message) }
      fault.receipt(&receipt, memory)
      return receipt
    }
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    var request = request
    fault.opening(&request, memory)
    if case .invitation(let ref) = request, fault.flaws.contains(.acceptsInName) {
      return ConversationInfo(ref: ref, type: .group)
    }
    return try await altering { [request] in
      var info = try await ignoringCancellation(.openIgnoresCancellation) { try await base.open(request) }
      memory.with { [ref = info.ref] in $0.lastOpened = ref }
      fault.info(&info, memory)
      return info
    }
  }

  func renewSession() async throws {
    let isFirst = memory.with { state in
      defer { state.hasRenewed = true }
      return !state.hasRenewed
    }
    if fault.flaws.contains(.renewsOnce), !isFirst {
      throw BackendError(.unauthorized, "That refresh token was used.")
    }
    if fault.flaws.contains(.renewsNothing) { return }
    do {
      try await base.require(\.renewal).renewSession()
    } catch {
      if !fault.flaws.contains(.renewsForAll) { throw error }
    }
  }

  func set(_ setting: ConversationSetting, to isSet: Bool, of conversation: ConversationRef) async throws {
    try await altering {
      try await base.require(\.settings?.backend).set(setting, to: isSet, of: conversation)
    }
  }

  func noteTyping(in conversation: ConversationRef) async throws {
    try await altering { try await base.require(\.typing).noteTyping(in: conversation) }
  }

  func markDelivered(upTo cursor: SyncCursor) async throws {
    try await altering { try await base.require(\.deliveryReceipts).markDelivered(upTo: cursor) }
  }

  func markRead(_ conversation: ConversationRef, upTo meant: MessageMark, in epoch: Epoch?) async throws {
    var mark: MessageMark? = meant
    fault.mark(&mark, memory)
    memory.with { [mark] in $0.mark = mark }
    let named = fault.flaws.contains(.readsInAnyEpoch) ? nil : epoch
    if let mark {
      try await altering { try await base.require(\.readMarks).markRead(conversation, upTo: mark, in: named) }
    }
  }
}
