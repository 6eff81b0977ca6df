import Skein
import SkeinStorage

/// The check of promise I1: at rest, the server has performed all requests of calls that returned.
extension Story {
  /// Performs a change to a message on a device, and records the change as an intention.
  ///
  /// - Parameter isChange: Whether the value differs from the shown value.
  func intend(
    _ field: Intention.Field, _ value: Intention.Value, of message: ChatMessage, on device: Device,
    isChange: Bool = true, _ body: @escaping @Sendable (ChatMessenger) async throws -> Void
  ) {
    guard let messenger = device.chat(message.conversation)?.messenger, let process = device.process else {
      return
    }
    let target = message.target
    let before = device.revision(of: message.id)
    // A message that the server lost is shown as failed on this device, now or when the device learns of the
    // loss. Changes made on this device are sent only if the user sends the message again on this device. If
    // another device sends the message again, these changes are overtaken.
    let isLost =
      ledger.wasLost(message.messageID)
      && (message.status == .failed || onServer(target, for: device.user).isEmpty)
    let isInformed = device.storedContactVersion == server.contactVersion(of: device.user).rawValue
    let number = intentions.asks(
      Intention(
        target: target, field: field, value: value, device: device.name, user: device.user,
        epoch: !isLost && device.storedEpoch == server.epoch.rawValue ? server.epoch : nil,
        closings: isInformed ? ledger.closings(of: device.user).count : 0,
        predecessors: predecessors(of: field, target, on: device, at: before), isChange: isChange))
    recent = Array((recent + [target]).suffix(8))
    let intentions = intentions
    device.perform("revise") { _ in
      do {
        try await body(messenger)
        let isSwitch = value == .isSet(true) || value == .isSet(false)
        let isSame = before != nil && device.revision(of: message.id) == before
        intentions.stored(number, wasSame: !isSwitch || field == .recall || isSame)
      } catch {
        if !process.isDead, error is ChatError { intentions.declined(number) }
        throw error
      }
    }
  }

  /// The intentions that certainly precede the next intention of a device:
  /// - the device's own intentions whose calls have returned,
  /// - the intentions of other devices whose results the device already knows.
  private func predecessors(
    of field: Intention.Field, _ target: Intention.Target, on device: Device, at revision: Int64?
  ) -> [Int] {
    let there = onServer(target, for: device.user).map(\.message.revision)
    let isCurrent = revision != nil && there == revision.map { [$0] }
    let waiting = Dictionary(
      devices.map { ($0.name, $0.client == nil || $0.link.hasLateRequests || $0.isRevising(target)) }
    ) { $1 }
    return intentions.all.enumerated().filter { _, known in
      guard known.target == target, known.field == field, case .stored = known.answer else { return false }
      return known.device == device.name || isCurrent && waiting[known.device] == false
    }.map(\.offset)
  }

  /// All copies of a message on the server, as a user sees them.
  private func onServer(_ target: Intention.Target, for user: UserID)
    -> [(ref: ConversationRef, message: IncomingMessage)]
  {
    server.rooms().flatMap { ref in
      server.messages(in: ref, for: user) {
        $0.sender == target.sender && $0.messageID == target.message
      }.map { (ref, $0) }
    }
  }

  /// The read mark that a device moves; nil if the device does not know the server's epoch or the
  /// conversation's ref.
  func readMark(of chat: ConversationID, on device: Device) -> Intentions.Mark? {
    guard device.storedEpoch == server.epoch.rawValue,
      let ref = device.client?.conversations.conversations.first(where: { $0.id == chat })?.ref
    else { return nil }
    return Intentions.Mark(user: device.user, conversation: ref.original, epoch: server.epoch)
  }

  // MARK: At rest

  /// Checks that messages have the state that their last intentions request. A message is not checked if the
  /// server does not have it, has trimmed it or stores it twice, or if one of its intentions is not binding.
  func checkIntentions() {
    let all = intentions.all
    var groups: [Intention.Target: [Int]] = [:]
    for (number, intention) in all.enumerated() { groups[intention.target, default: []].append(number) }
    var checked = 0
    for (number, intention) in all.enumerated() where groups[intention.target]?.first == number {
      let numbers = groups[intention.target] ?? []
      let places = onServer(intention.target, for: intention.user)
      guard places.count == 1, let (ref, message) = places.first,
        message.position?.rawValue ?? 0 > Int64(server.trimmed(ref)),
        numbers.allSatisfy({ isBinding(all[$0], in: ref) })
      else { continue }
      let isRecalled = message.kind == RecalledContent.kind
      var fields: [Intention.Field: [Int]] = [:]
      for number in numbers { fields[all[number].field, default: []].append(number) }
      for number in numbers where fields[all[number].field]?.first == number {
        let field = all[number].field
        // A recalled message keeps no other state.
        if isRecalled, field != .recall { continue }
        checked += 1
        let own = onServer(intention.target, for: all[number].user).first?.message ?? message
        let value = own.value(of: field)
        let outcomes = Intentions.outcomes(of: fields[field] ?? [], in: all)
        ledger.expect(
          outcomes.contains(value) || value == message.first(of: field) && outcomes.contains(nil), "I1",
          "\(all[number].device) requested another \(field) of \(message.serverID?.rawValue ?? "") than \(value)"
        )
      }
    }
    world.note("\(checked) fields of messages are as requested, of \(all.count) intentions")
    checkMarks()
  }

  /// Whether the server must have fulfilled an intention.
  private func isBinding(_ intention: Intention, in ref: ConversationRef) -> Bool {
    guard intention.epoch == server.epoch, let info = server.info(ref, for: intention.user),
      let device = devices.first(where: { $0.name == intention.device })
    else { return false }
    // A group may be left before the server receives the revision.
    if info.type == .group, ledger.wasClosed(info, of: intention.user) { return false }
    let later = ledger.closings(of: intention.user).dropFirst(intention.closings)
    if let peer = info.peer, later.contains(.user(peer)) { return false }
    // The intention may have failed visibly, or be void because its message was deleted or cleared while
    // unsent.
    return !ledger.wasRevisionRefused(of: intention.target.message, from: device.name)
      && !device.hasFailure(intention.target)
      && !ledger.wasAbandoned(intention.target.message, on: device.name)
  }

  /// Checks that the server has every account's furthest read mark. If pages have another order than syncs, a message that
  /// a device lists before the last read one may be after it on the server.
  private func checkMarks() {
    for (mark, position) in intentions.marks where mark.epoch == server.epoch {
      let read = server.info(mark.conversation, for: mark.user)?.readMark?.position?.rawValue ?? 0
      ledger.expect(
        read >= position || server.order.reorders && !server.order.isAlways(position, after: read), "I1",
        "\(mark.user) has read \(mark.conversation.rawValue) up to \(position), the server has \(read)")
    }
  }
}

extension IncomingMessage {
  fileprivate func value(of field: Intention.Field) -> Intention.Value {
    switch field {
    case .text:
      let content = KindRegistry.standard.content(of: .init(self))
      return .text(content.as(TextContent.self)?.text ?? "")
    case .recall: return .isSet(kind == RecalledContent.kind)
    case .flag(let flag, _): return .isSet(flags[flag] != nil)
    case .reaction(let user, let key):
      return .isSet(reactions?.contains { $0.key == key && $0.isBy(user) } ?? false)
    }
  }

  /// The initial value of a field. The initial text of an edited message is unknown, so the result is an
  /// empty text, which no message has.
  fileprivate func first(of field: Intention.Field) -> Intention.Value {
    if field == .text { return edited == nil ? value(of: .text) : .text("") }
    return .isSet(false)
  }
}
