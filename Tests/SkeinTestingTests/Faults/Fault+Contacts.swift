import Skein

extension Fault {
  static let contacts: [Fault] = [
    Fault(
      description: "A whole list says that it is a diff", caughtBy: ["Without a version"],
      contacts: { delta, _ in delta.isFull = false }),
    Fault(
      description: "A contact is named twice", caughtBy: ["Without a version"],
      contacts: { delta, _ in delta.changed += delta.changed.prefix(1) }),
    Fault(
      description: "The whole list is cut", caughtBy: ["A diff names"],
      contacts: { delta, _ in if delta.isFull { delta.changed = delta.changed.dropLast() } }),
    Fault(
      description: "A diff does not say what it goes on from", caughtBy: ["A diff names"],
      contacts: { delta, _ in delta.from = nil }),
    Fault(
      description: "A diff leaves out who was removed",
      caughtBy: ["A diff names", "Who comes on", "A group that was left is on"],
      contacts: { delta, _ in delta.removed = [] }),
    Fault(
      description: "A version that nobody gave is refused", caughtBy: ["A version that the server"],
      flaws: [.refusesUnknownVersions]),
    Fault(
      description: "A sync names its cursor for the contact list's version", caughtBy: ["A sync that names"],
      sync: { batch, _ in batch.contactVersion = ContactVersion(rawValue: batch.next.rawValue) }),
    Fault(
      description: "Who is removed stays on the list", caughtBy: ["Who comes on", "While a contact"],
      flaws: [.keepsWhoIsRemoved]),
    Fault(
      description: "A sync tells the newest message alone", caughtBy: ["While a contact"],
      sync: { batch, _ in
        for index in batch.conversations.indices where batch.from != nil {
          batch.conversations[index].messages = batch.conversations[index].messages.suffix(1)
        }
      }),
    Fault(
      description: "The push channel says nothing but that it is connected",
      caughtBy: ["A change of the contact list", "A group that was left is on"], vainWait: "to announce",
      event: { event, _ in event == .connected ? event : nil }),
  ]

  static let leaving: [Fault] = [
    Fault(
      description: "Who has left a group can't leave it again", caughtBy: ["A group that was left can"],
      flaws: [.leavesOnce]),
    Fault(
      description: "Who leaves stays in the group",
      caughtBy: ["A message to a group that", "Of a group that was left", "A group that was left is on"],
      flaws: [.leavesInName]),
    Fault(
      description: "Who has left is named all the same", caughtBy: ["Who is still in a group"],
      info: { info, memory in info.members = info.members.map { $0 + memory.with { $0.left } } }),
  ]
}
