import Skein

extension Fault {
  static let actions: [Fault] = [
    Fault(
      description: "A sync returns no revised messages",
      caughtBy: [
        "An edited message", "An action that", "A recalled message names", "Reactions are a",
        "A pinned message", "A starred message", "A star of",
      ],
      sync: { batch, _ in
        for index in batch.conversations.indices { batch.conversations[index].revised = [] }
      }),
    Fault(
      description: "A repeated action is applied again", caughtBy: ["An action that"],
      actionID: { id, memory in id = ActionID(rawValue: "\(id.rawValue) \(memory.next())") }),
    Fault(
      description: "A repeated action is answered with its first result", caughtBy: ["An action that"],
      flaws: [.repeatsFirstAnswer]),
    Fault(
      description: "The revision stops at one", caughtBy: ["Actions raise a"],
      message: { message, _ in message.revision = min(message.revision, 1) }),
    Fault(
      description: "A revised message gets another id", caughtBy: ["Actions raise a"],
      message: { message, _ in
        if message.revision > 0 { message.serverID = ServerMessageID(rawValue: "\(message.revision)") }
      }),
    Fault(
      description: "A refused action returns without an error",
      caughtBy: ["Editing or recalling", "A recalled message names", "An action on"],
      flaws: [.swallowsRefusals]),
    Fault(
      description: "A recalled message keeps its kind", caughtBy: ["A recalled message names"],
      message: { message, _ in if message.kind == RecalledContent.kind { message.kind = "text" } }),
    Fault(
      description: "An edited message has no time of its edit", caughtBy: ["An edited message"],
      message: { message, _ in message.edited = nil }),
    Fault(
      description: "A first sync omits flagged messages",
      caughtBy: ["A pinned message", "A starred message"],
      sync: { batch, _ in
        guard batch.from == nil else { return }
        for index in batch.conversations.indices { batch.conversations[index].revised = [] }
      }),
    Fault(
      description: "A pinned message stays pinned", caughtBy: ["A pinned message"],
      message: { message, _ in
        if message.revision > 0 { message.flags[.pin] = message.flags[.pin] ?? message.time }
      }),
    Fault(
      description: "A starred message stays starred", caughtBy: ["A starred message"],
      message: { message, _ in
        if message.revision > 0 { message.flags[.star] = message.flags[.star] ?? message.time }
      }),
    Fault(
      description: "A star is visible to everybody", caughtBy: ["A star of"],
      message: { message, memory in
        guard let id = message.serverID else { return }
        let own = message.flags[.star]
        message.flags[.star] = memory.with { state in
          state.starred[id] = own ?? state.starred[id]
          return state.starred[id]
        }
      }),
    Fault(
      description: "A star is lost with the next edit", caughtBy: ["A star of"],
      message: { message, _ in if message.edited != nil { message.flags[.star] = nil } }),
    Fault(
      description: "The count of a reaction is one too high", caughtBy: ["Reactions are a"],
      message: { message, _ in
        message.reactions = message.reactions?.map { Reaction($0.key, users: $0.users, count: $0.count + 1) }
      }),
  ]
}

extension FaultyBackend {
  func perform(_ action: OutgoingAction) async throws -> IncomingMessage? {
    var id = action.id
    fault.actionID(&id, memory)
    let altered = OutgoingAction(
      id: id, conversation: action.conversation, message: action.message, action: action.action)
    do {
      let answer = try await base.require(\.actions?.backend).perform(altered)
      let first = memory.with { state in
        state.answers[id] = state.answers[id] ?? answer
        return state.answers[id]
      }
      return fault.flaws.contains(.repeatsFirstAnswer) ? first : answer
    } catch let error as BackendError where error.code == .permanent {
      guard fault.flaws.contains(.swallowsRefusals) else { throw error }
      return nil
    }
  }
}
