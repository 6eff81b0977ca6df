import SkeinModel

extension BackendCheck {
  /// Opening conversations.
  static let conversations: [BackendCheck] = [
    BackendCheck(
      .conversations, "A one-to-one chat that either side opens again is the same chat", directTwice),
    BackendCheck(.conversations, "A one-to-one chat that both sides open at once is one chat", directAtOnce),
    BackendCheck(.conversations, "A group that is opened twice under one key is one group", groupTwice),
    BackendCheck(
      .conversations, "Groups under two keys are two groups, even with the same title and members", twoGroups),
    BackendCheck(
      .conversations, "A cancelled request to open a conversation ends promptly", needs: [.losing],
      cancelledOpen),
    BackendCheck(
      .conversations, "A conversation has the right type, peer, title and members for each side", described),
    BackendCheck(.conversations, "A message appears in its own conversation and in no other", keptApart),
  ]

  private static func directTwice(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try expect(try await alice.open(.direct(bob.user)).ref, is: chat, "The chat opened again")
    try expect(try await bob.open(.direct(alice.user)).ref, is: chat, "The chat opened from the other side")
    try await alice.send(1, in: chat)
    try expect(try await bob.open(.direct(alice.user)).ref, is: chat, "The chat opened once it has a message")
  }

  private static func directAtOnce(_ stage: Stage) async throws {
    let (alice, bob) = (try await stage.device(), try await stage.device())
    let refs = try await withThrowingTaskGroup(of: ConversationRef.self) { group in
      for (device, peer) in [(alice, bob), (bob, alice)] {
        group.addTask(executorPreference: WorkQueue()) { try await device.open(.direct(peer.user)).ref }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    try expect(refs[0], is: refs[1], "The chat that one side opened")
  }

  private static func groupTwice(_ stage: Stage) async throws {
    let (alice, bob, _) = try await stage.pair()
    let key = stage.word("group")
    let request = ConversationRequest.group(id: key, title: "Climbing", members: [bob.user])
    let first = try await alice.open(request).ref
    try expect(try await alice.open(request).ref, is: first, "The group opened again")
    let tablet = try await stage.device(of: alice.user)
    try expect(try await tablet.open(request).ref, is: first, "The group opened from another device")
  }

  private static func twoGroups(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let refs = try await [
      alice.open(.group(id: stage.word("group"), title: "Climbing", members: [bob.user])).ref,
      alice.open(.group(id: stage.word("group"), title: "Climbing", members: [bob.user])).ref, chat,
    ]
    try expect(Set(refs).count, is: 3, "The number of conversations")
  }

  private static func cancelledOpen(_ stage: Stage) async throws {
    let (alice, bob) = (try await stage.device(), try await stage.device())
    try await stage.loseNextAnswer(to: alice.user, by: .silence)
    let open = Task(executorPreference: WorkQueue()) { _ = try? await alice.open(.direct(bob.user)) }
    // These calls give the request time to reach the server. The check also works if the request arrives
    // later.
    for _ in 0..<3 { _ = try await bob.catchUp() }
    try await stage.cancel(open, "An open whose answer was lost")
  }

  private static func described(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let group = try await alice.open(.group(id: stage.word("group"), title: "Climbing", members: [bob.user]))
    try await alice.send(1, in: chat)
    try await alice.send(1, in: group.ref)
    for (device, peer) in [(alice, bob), (bob, alice)] {
      let caught = try await device.catchUp()
      for info in [try caught.info(of: chat), try await device.open(.direct(peer.user))] {
        try expect(info.type, is: .direct, "The type of a one-to-one chat")
        try expect(info.peer, is: peer.user, "The other side of a one-to-one chat")
      }
      let info = try caught.info(of: group.ref)
      try expect(info.type, is: .group, "The type of a group")
      try expect(info.title ?? "Climbing", is: "Climbing", "The title of a group")
      if let members = info.members {
        try expect(Set(members), is: [alice.user, bob.user], "The members of a group")
        try expect(members.count, is: 2, "The number of a group's members")
      }
    }
  }

  private static func keptApart(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let carol = try await stage.device()
    let other = try await alice.open(.direct(carol.user)).ref
    let first = try await alice.send(2, in: chat)
    let second = try await alice.send(2, in: other)
    try expect(try await bob.catchUp().messages.texts, is: first.texts, "The first user's messages")
    try expect(try await carol.catchUp().messages.texts, is: second.texts, "The second user's messages")
    try expect(
      try await alice.history(of: chat).texts.sorted(), is: first.texts.sorted(), "The first chat")
    try expect(
      try await alice.history(of: other).texts.sorted(), is: second.texts.sorted(), "The second chat")
  }
}
