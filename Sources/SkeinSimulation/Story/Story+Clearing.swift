#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein

extension Story {
  /// Clears a chat on one device.
  func clear(_ chat: ConversationID, on device: Device) { clear(chat, on: device, deletes: false) }

  /// Deletes a chat on one device.
  func deleteChat(_ chat: ConversationID, on device: Device) { clear(chat, on: device, deletes: true) }

  /// Erases the account from a device, even if something is unsent. The checks no longer expect what only
  /// this device has.
  func erase(_ device: Device) {
    world.note("\(device.name) erases its account")
    let names = ledger.entries.compactMap { entry -> MessageID? in
      guard entry.device == device.name, case .stored(_, let name) = entry.fate else { return nil }
      return name
    }
    ledger.clears(names, on: device.name)
    ledger.abandons(names, on: device.name)
    device.perform("erase") { [ledger] client in
      try await client.erase(evenUnsent: true)
      let left = (try? FileManager.default.contentsOfDirectory(atPath: device.folder.path)) ?? []
      ledger.expect(left.isEmpty, "E1", "\(device.name) has erased its account and has \(left.sorted())")
    }
    device.forgetsEverything()
  }

  private func clear(_ chat: ConversationID, on device: Device, deletes: Bool) {
    guard let context = device.chat(chat),
      let ref = device.client?.conversations.conversations.first(where: { $0.id == chat })?.ref
    else { return }
    begin(deletes ? .deleteChat : .clear, "\(device.name) \(deletes ? "deletes" : "clears") \(chat.rawValue)")
    let stored = device.stored(in: chat)
    ledger.clears(stored.map(\.id), on: device.name)
    ledger.abandons(stored.filter { $0.server == nil }.map(\.id), on: device.name)
    // An own message may get its position while older messages are still missing on the device. The clear
    // hides this message although its position is outside the cleared range, so the message is recorded as
    // deleted. A message with waiting actions is recorded as deleted too, since it stays hidden if a restored
    // server gives it a new position. Without positions, so does the last cleared message.
    let mayStayHidden = stored.filter { $0.isOwn || $0.isTarget || !server.order.hasPositions }
    device.record.deletes(mayStayHidden.map { ($0.id, $0.server) })
    // Messages waiting to be sent keep the chat in the list.
    let isEmptied = deletes && stored.allSatisfy { $0.server != nil || $0.isHidden }
    let (clears, settings) = (device.clears, device.settings)
    clears.begins(ref, deletes: deletes)
    if deletes { settings.deletes(chat) }
    device.perform(deletes ? "delete chat" : "clear") { client in
      var isDeleted = false
      defer { clears.ends(ref, deleting: isDeleted ? chat : nil) }
      if deletes {
        defer { settings.hasDeleted(chat) }
        try await client.conversations.delete(chat)
        isDeleted = isEmptied
      } else {
        try await context.clearAllMessages()
      }
      device.checkGaps()
    }
  }
}
