#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Skein

/// The steps: what each needs before it begins, and how it begins.
extension KillScene {
  func prepare(_ step: KilledStep) throws {
    let isNew = step == .firstOpening || step == .paging
    for device in [victim, other, bob] where device !== victim || !isNew { device.open() }
    try settle()
    other.perform("open chat") { _ = try await $0.open(.direct("bob")) }
    bob.perform("open group") { _ = try await $0.openGroup(title: "group", members: ["alice"]) }
    try settle()
    for device in [other, bob] {
      story.send(3, to: try chat(on: device), on: device)
      story.send(2, to: try group(on: device), on: device)
    }
    try settle()

    switch step {
    case .composing, .attaching: goOffline()
    case .opening, .posting, .removingContact:
      goOffline()
      story.send(3, to: try chat(on: victim), on: victim)
      try finishCalls()
    case .uploading, .erasing:
      goOffline()
      try attach()
      try finishCalls()
    case .syncing:
      goOffline()
      for device in [other, bob] { story.send(4, to: try chat(on: device), on: device) }
      try settle(except: victim)
      let own = try shown(on: bob).filter(\.isOwn)
      story.edit(own[0], on: bob)
      story.recall(own[1], on: bob)
      story.pin(own[2], on: bob)
      story.react("👍", to: own[3], isSet: true, on: bob)
      for device in [other, bob] { try read(on: device) }
      try settle(except: victim)
    case .fillingGap:
      goOffline()
      let oldest = try shown(on: victim)[0].id
      try flood()
      try settle(except: victim)
      victim.link.setCut(false)
      try settle()
      let context = try context(on: victim)
      victim.perform("jump") { _ in try await context.jump(to: oldest) }
      guard try wait(upTo: .seconds(60), until: { context.messages.contains { $0.gap != nil } }) else {
        throw SceneFailure("There is no gap.")
      }
    case .marking:
      story.send(2, to: try chat(on: bob), on: bob)
      try settle()
      _ = try context(on: victim)
    case .changingEpoch:
      backup = story.server.backup()
      for device in [victim, other, bob] { story.send(2, to: try chat(on: device), on: device) }
      try settle()
    case .firstOpening: try flood()
    case .paging:
      try flood()
      victim.open()
      try settle()
      _ = try context(on: victim)
    case .revising, .deleting:
      story.send(6, to: try chat(on: victim), on: victim)
      try settle()
      _ = try context(on: victim)
    case .openingChat, .leaving, .clearing: break
    }
    if step == .opening {
      victim.close()
      guard try wait(upTo: .seconds(60), until: { victim.process == nil }) else {
        throw SceneFailure("The client does not close.")
      }
      victim.link.setCut(false)
    }
  }

  func begin(_ step: KilledStep) throws {
    switch step {
    case .firstOpening, .opening: break
    case .composing: story.send(3, to: try chat(on: victim), on: victim)
    case .attaching: try attach()
    case .posting, .uploading, .syncing: victim.link.setCut(false)
    case .removingContact:
      story.ledger.closes(.user("bob"), of: "alice")
      story.server.removeContact(.user("bob"), of: "alice")
      victim.link.setCut(false)
    case .fillingGap: story.fillGap(try chat(on: victim), on: victim)
    case .paging:
      let context = try context(on: victim)
      victim.perform("page") { _ in
        while context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
      }
    case .revising:
      let own = try shown(on: victim).filter(\.isOwn)
      story.edit(own[0], on: victim)
      story.recall(own[1], on: victim)
      story.pin(own[2], on: victim)
      story.star(own[3], on: victim)
      story.react("👍", to: own[4], isSet: true, on: victim)
    case .marking: try read(on: victim)
    case .changingEpoch:
      if let backup { story.restore(backup) }
      // The devices learn of the new epoch when they connect again.
      for device in story.devices { story.server.disconnect(device.name) }
    case .openingChat:
      victim.clears.opens()
      victim.perform("open chats") { [clears = victim.clears] in
        _ = try await $0.open(.direct("carol"))
        _ = try await $0.openGroup(title: "another group", members: ["bob"])
        clears.opens()
      }
    case .erasing: story.erase(victim)
    case .leaving: story.leave(try group(on: victim), on: victim)
    case .deleting: story.delete(try shown(on: victim).suffix(3), in: try context(on: victim), on: victim)
    case .clearing:
      story.clear(try chat(on: victim), on: victim)
      story.deleteChat(try group(on: victim), on: victim)
    }
  }

  // MARK: Parts

  private func conversation(_ type: ConversationType, on device: Device) throws -> ConversationID {
    let all = device.client?.conversations.conversations
    guard let found = all?.first(where: { $0.type == type }) else {
      throw SceneFailure("\(device.name) has no \(type) chat.")
    }
    return found.id
  }

  private func chat(on device: Device) throws -> ConversationID { try conversation(.direct, on: device) }
  private func group(on device: Device) throws -> ConversationID { try conversation(.group, on: device) }

  /// The list of the direct chat, once it is loaded.
  private func context(on device: Device) throws -> ChatContext {
    guard let context = device.chat(try chat(on: device)),
      try wait(upTo: .seconds(60), until: { !context.messages.isEmpty })
    else { throw SceneFailure("\(device.name) has no messages.") }
    return context
  }

  private func shown(on device: Device) throws -> [ChatMessage] {
    try context(on: device).messages.compactMap(\.message)
  }

  private func read(on device: Device) throws {
    let context = try context(on: device)
    device.perform("mark read") { _ in try await context.markRead() }
  }

  private func attach() throws {
    let token = story.makeToken(on: victim)
    let file = story.folder.appending(path: token)
    try Data("\(victim.name)/1".utf8).write(to: file)
    let image = ImageContent(.file(file, type: "image/png"), width: story.tokens)
    story.give([(token, image)], to: try chat(on: victim), on: victim)
  }

  private func flood() throws {
    guard let ref = other.client?.conversations.conversations.first(where: { $0.type == .direct })?.ref else {
      throw SceneFailure("The chat has no ref.")
    }
    try story.server.post((1...30).map { "flood#\($0)" }, from: "bob", in: ref)
  }

  /// Waits until the victim's calls have returned; the victim is offline meanwhile.
  private func finishCalls() throws {
    guard try wait(upTo: .seconds(60), until: { !victim.isBusy }) else {
      throw SceneFailure("A call without a network does not return.")
    }
  }
}
