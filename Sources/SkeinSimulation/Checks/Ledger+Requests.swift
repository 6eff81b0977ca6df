#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein
import Synchronization

/// Requests to the server, and their checks.
extension Ledger {
  /// Checks a request that leaves a device: the message is stored, and is the same as in earlier attempts
  /// unless it was edited meanwhile or the server has lost it.
  ///
  /// - Parameters:
  ///   - isStored: Whether the device's database has an operation for the message, or the message needs no
  ///     operation.
  ///   - isStamping: Whether the device has the participant ``Stamping``.
  func leaves(_ outgoing: OutgoingMessage, from device: String, isStored: Bool, isStamping: Bool) {
    let message = outgoing.withoutServersName
    if let token = Token.of(message.kind, message.payload), !isCopy(message.id, of: token) {
      state.withLock { $0.originals[token] = message.id }
    }
    let known = state.withLock { state -> Attempts? in
      let key = Key(device: device, id: message.id)
      // A message that the server has lost is sent again in its current state.
      if state.attempts[key]?.mayDiffer == true || state.lost.contains(message.id) {
        state.attempts[key]?.first = message
        state.attempts[key]?.mayDiffer = false
      }
      if state.attempts[key]?.first == message { state.attempts[key]?.count += 1 }
      if state.attempts[key] == nil {
        state.attempts[key] = Attempts(first: message)
        return nil
      }
      return state.attempts[key]
    }
    if let known, known.first != message {
      report("S2", "\(device) posts \(message.id.rawValue) again with other content")
    }
    expect(isStored, "S1", "\(device) posts a message without an operation in its database")
    let isPrepared =
      !isStamping || message.kind != TextContent.kind
      || !Stamping.isMeant(Token.of(message.kind, message.payload))
      || message.parameters[Stamping.parameter] != nil
    expect(isPrepared, "S14", "\(device) posts \(name(of: message)) before its participant has prepared it")
  }

  /// Checks a file that leaves a device.
  ///
  /// - Parameters:
  ///   - token: The token of the upload that the device continues.
  ///   - stored: The upload of the file according to the device's database.
  func leaves(
    _ source: UploadSource, resuming token: UploadToken?, from device: String, stored: StoredUpload
  ) {
    expect(!stored.isComplete, "S12", "\(device) uploads a file that it knows is on the server")
    expect(
      token == stored.token, "S15",
      "\(device) continues the upload \(token?.rawValue ?? "none") instead of \(stored.token?.rawValue ?? "none")"
    )
  }

  func failsToSend(_ error: any Error, of message: OutgoingMessage, on device: String) {
    let what = (error as? BackendError).map { "\($0.message)\($0.outcomeIsUnknown ? " (unknown)" : "")" }
    world.note("\(device) can't send \(name(of: message)): \(what ?? "\(type(of: error))")")
    // For the engine, the refusal of a message as out of order does not count as a failure.
    if !(error is CancellationError), (error as? BackendError)?.code != .outOfOrder {
      state.withLock { $0.attempts[Key(device: device, id: message.id)]?.failures += 1 }
    }
  }

  func failsToUpload(_ picture: String, _ error: any Error, on device: String) {
    world.note(
      "\(device) can't upload \(picture): \((error as? BackendError)?.message ?? "\(type(of: error))")")
    if !(error is CancellationError) { state.withLock { $0.uploadFailures[picture, default: 0] += 1 } }
  }

  func failsToPrepare(_ token: String, _ error: any Error, on device: String) {
    let what = (error as? BackendError)?.message ?? "\(type(of: error))"
    world.note("\(device) can't prepare \(token): \(what)")
    if !(error is CancellationError) { state.withLock { $0.preparationFailures[token, default: 0] += 1 } }
  }

  /// Whether a message has failed so often that its lane may have parked the message and continued.
  func mayHaveBeenParked(_ message: IncomingMessage, _ id: MessageID, from device: String) -> Bool {
    let picture = Token.picture(of: message.kind, message.payload)
    let token = Token.of(message.kind, message.payload)
    return state.withLock { state in
      let posts = state.attempts[Key(device: device, id: id)]?.failures ?? 0
      let failures = posts + (token.flatMap { state.preparationFailures[$0] } ?? 0)
      return failures + (picture.flatMap { state.uploadFailures[$0] } ?? 0) >= 5
    }
  }

  /// Whether a message may be gone: its cancellation was requested, and no attempt had an unknown outcome.
  func mayBeGone(_ entry: Entry, _ id: MessageID) -> Bool {
    entry.isCancelRequested && attempts(of: id, from: entry.device)?.wasUnknown != true
  }

  private func name(of message: OutgoingMessage) -> String {
    Token.of(message.kind, message.payload) ?? message.id.rawValue
  }

  /// Notes that the server has performed an action, now or in an earlier attempt.
  func performed(_ action: OutgoingAction, _ message: IncomingMessage, for device: String) {
    let name = message.serverID?.rawValue ?? "?"
    world.note("the server has \(action.action.trace) of \(device) on \(name), revision \(message.revision)")
  }

  func arrives(_ message: OutgoingMessage, from device: String, of user: UserID, on server: MemoryServer) {
    world.note("the server gets \(name(of: message)) of \(device)")
    // If a message failed together with the message it depends on, a retry by the user removes the
    // dependency.
    if let token = Token.of(message.kind, message.payload), !isCopy(message.id, of: token),
      let entry = entry(token), let target = entry.target, entry.userRetries == 0, !wasLost(target)
    {
      expect(server.knows(target, from: user), "S6", "\(token) is posted before the message it depends on")
    }
    guard message.kind == ImageContent.kind else { return }
    let content = try? JSONDecoder().decode(ImageContent.self, from: message.payload)
    let isThere = content?.image.media.map { server.holds($0) } ?? false
    expect(isThere, "S13", "an image is posted whose file the media server does not have")
  }

  func refused(_ id: MessageID, from device: String) {
    state.withLock { state in
      let key = Key(device: device, id: id)
      state.attempts[key]?.wasRefused = true
      if state.edited.contains(key), state.attempts[key]?.wasUnknown == false {
        state.attempts[key]?.mayDiffer = true
      }
    }
  }

  func lostTrack(of id: MessageID, from device: String) {
    state.withLock { $0.attempts[Key(device: device, id: id)]?.wasUnknown = true }
  }
}

extension OutgoingMessage {
  /// The message without the part that may differ between attempts: the server id of the message to which
  /// this message replies.
  fileprivate var withoutServersName: OutgoingMessage {
    let replyTo = replyTo.map { MessageReference(sender: $0.sender, messageID: $0.messageID, serverID: nil) }
    return OutgoingMessage(
      id: id, conversation: conversation.original, kind: kind, payload: payload, parameters: parameters,
      replyTo: replyTo, mentions: mentions, isCountable: isCountable)
  }
}

extension MessageAction {
  /// A word or two for traces.
  fileprivate var trace: String {
    switch self {
    case .edit: "the edit"
    case .recall: "the recall"
    case .reaction(let key, let isSet): "\(key.rawValue) \(isSet ? "set" : "removed")"
    case .flag(let flag, let isSet): "the \(flag.rawValue) \(isSet ? "set" : "removed")"
    }
  }
}
