import Skein

extension Fault {
  static let contacts: [Fault] = [
    Fault(
      description: "A whole list states that it is a diff", caughtBy: ["A fetch without"],
      contacts: { delta, _ in delta.isFull = false }),
    Fault(
      description: "A contact is listed twice", caughtBy: ["A fetch without"],
      contacts: { delta, _ in delta.changed += delta.changed.prefix(1) }),
    Fault(
      description: "The whole list is truncated", caughtBy: ["A diff names"],
      contacts: { delta, _ in if delta.isFull { delta.changed = delta.changed.dropLast() } }),
    Fault(
      description: "A diff does not name its start", caughtBy: ["A diff names"],
      contacts: { delta, _ in delta.from = nil }),
    Fault(
      description: "A diff omits removed contacts",
      caughtBy: ["A diff names", "A contact that", "A group that was left is"],
      contacts: { delta, _ in delta.removed = [] }),
    Fault(
      description: "An unknown version is refused", caughtBy: ["A fetch from"],
      flaws: [.refusesUnknownVersions]),
    Fault(
      description: "A sync names its cursor for the contact list's version",
      caughtBy: ["The contact version"],
      sync: { batch, _ in batch.contactVersion = ContactVersion(rawValue: batch.next.rawValue) }),
    Fault(
      description: "A removed contact stays on the list", caughtBy: ["A contact that", "Syncs omit the"],
      flaws: [.keepsWhoIsRemoved]),
    Fault(
      description: "A sync contains only the newest message", caughtBy: ["Syncs omit the"],
      sync: { batch, _ in
        for index in batch.conversations.indices where batch.from != nil {
          batch.conversations[index].messages = batch.conversations[index].messages.suffix(1)
        }
      }),
    Fault(
      description: "The push channel reports connected only",
      caughtBy: ["A change of", "A group that was left is"], vainWait: "to announce",
      event: { event, _ in event == .connected ? event : nil }),
  ]

  static let leaving: [Fault] = [
    Fault(
      description: "A second leave is refused", caughtBy: ["Leaving a group"],
      flaws: [.leavesOnce]),
    Fault(
      description: "A leave has no effect",
      caughtBy: [
        "A message to a group", "A group that was left delivers", "A group that was left is",
        "A declined invitation",
      ],
      flaws: [.leavesInName]),
    Fault(
      description: "The member list keeps a member who has left", caughtBy: ["The remaining members"],
      info: { info, memory in info.members = info.members.map { $0 + memory.with { $0.left } } }),
  ]

  static let invitations: [Fault] = [
    Fault(
      description: "Syncs list no invitations", caughtBy: ["An invitation is announced"],
      sync: { batch, _ in batch.invitations = [] }),
    Fault(
      description: "A sync names another inviter", caughtBy: ["An invitation is announced"],
      sync: { batch, _ in
        for index in batch.invitations.indices { batch.invitations[index].inviter = "nobody" }
      }),
    Fault(
      description: "Invitations are not announced", caughtBy: ["An invitation is announced"],
      vainWait: "to announce", event: { event, _ in event == .connected ? event : nil }),
    Fault(
      description: "An acceptance has no effect",
      caughtBy: ["An accepted invitation", "A withdrawn invitation"], flaws: [.acceptsInName]),
    Fault(
      description: "The end of an invitation is not reported",
      caughtBy: ["A declined invitation", "A withdrawn invitation", "An invitation has ended"],
      sync: { batch, _ in batch.left = [] }),
  ]
}
