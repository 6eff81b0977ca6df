import Skein

extension Fault {
  static let history: [Fault] = [
    Fault(
      description: "A page is in descending order", caughtBy: ["The newest page"],
      page: { page, _ in page.messages.reverse() }),
    Fault(
      description: "No page reaches the end", caughtBy: ["The newest page"],
      page: { page, _ in page.reachesEnd = false }),
    Fault(
      description: "No page reaches the start",
      caughtBy: ["The newest page", "A conversation without", "The page before"],
      page: { page, _ in page.reachesStart = false }),
    Fault(
      description: "Every page reaches the start", caughtBy: ["Only the page", "Paging back returns"],
      page: { page, _ in page.reachesStart = true }),
    Fault(
      description: "A page contains one message too many", caughtBy: ["A page contains"],
      pageRequest: { request, _ in request.limit += 1 }),
    Fault(
      description: "A page has a gap",
      caughtBy: ["Paging back returns", "History and sync", "Paging forward"],
      page: { page, _ in if page.messages.count > 2 { page.messages.remove(at: 1) } }),
    Fault(
      description: "Pages are counted from the newest message", caughtBy: ["Paging back is"],
      flaws: [.pagesByOffset]),
    Fault(
      description: "A large limit gives a page of one message", caughtBy: ["A limit above"],
      pageRequest: { request, _ in if request.limit > 200 { request.limit = 1 } }),
    Fault(
      description: "The page before the first message is the newest one", caughtBy: ["The page before"],
      flaws: [.newestForNothing]),
    Fault(
      description: "A page has other times than a sync", caughtBy: ["History and sync"],
      page: { page, _ in
        for index in page.messages.indices { page.messages[index].time = Timestamp(milliseconds: 1) }
      }),
    Fault(
      description: "The page after a position ignores it", caughtBy: ["Paging forward"],
      pageRequest: { request, _ in if case .after = request.anchor { request.anchor = .newest } }),
    Fault(
      description: "The page around a message is the newest page",
      caughtBy: ["The page around a message contains"],
      pageRequest: { request, _ in if case .message = request.anchor { request.anchor = .newest } }),
    Fault(
      description: "The page around an unknown message is the newest page",
      caughtBy: ["The page around a message that"], flaws: [.newestForUnknownMessage]),
    Fault(
      description: "The page at a time is the first page", caughtBy: ["The page at"],
      pageRequest: { request, _ in
        if case .time = request.anchor { request.anchor = .time(Timestamp(milliseconds: 0)) }
      }),
    Fault(
      description: "Anchors are supported without being stated", caughtBy: ["An anchor that"],
      flaws: [.statesNoAnchors]),
    Fault(
      description: "A request of a page ignores cancellation", caughtBy: ["A cancelled request of"],
      vainWait: "had not ended", flaws: [.historyIgnoresCancellation]),
    Fault(
      description: "The epoch of a page is not that of a sync", caughtBy: ["The epochs of"],
      page: { page, _ in page.epoch = Epoch(rawValue: "another") }),
    Fault(
      description: "An unknown conversation is an empty one", caughtBy: ["The history of"],
      flaws: [.emptyPageForNothing]),
  ]

  static let conversations: [Fault] = [
    Fault(
      description: "Opening a conversation ignores cancellation", caughtBy: ["A cancelled request to"],
      vainWait: "had not ended", flaws: [.openIgnoresCancellation]),
    Fault(
      description: "Each side has its own one-to-one chat",
      caughtBy: [
        "A one-to-one chat that either", "A one-to-one chat that both", "A conversation has",
      ],
      opening: { request, memory in
        if case .direct(let peer) = request {
          request = .group(id: "\(memory.user)", title: "", members: [peer])
        }
      }),
    Fault(
      description: "A group is created each time that it is opened", caughtBy: ["A group that is"],
      opening: { request, memory in
        if case .group(let id, let title, let members) = request {
          request = .group(id: "\(id)-\(memory.next())", title: title, members: members)
        }
      }),
    Fault(
      description: "Groups with the same title are one group", caughtBy: ["Groups under two"],
      opening: { request, _ in
        if case .group(_, let title, let members) = request {
          request = .group(id: title, title: title, members: members)
        }
      }),
    Fault(
      description: "The peer of a chat is the account itself", caughtBy: ["A conversation has"],
      info: { info, memory in if info.type == .direct { info.peer = memory.user } }),
    Fault(
      description: "A member is listed twice", caughtBy: ["A conversation has"],
      info: { info, _ in info.members = info.members.map { $0 + $0.prefix(1) } }),
    Fault(
      description: "A page is of the conversation opened last", caughtBy: ["A message appears"],
      pageRequest: { request, memory in
        request.conversation = memory.with { $0.lastOpened } ?? request.conversation
      }),
  ]

  static let readMarks: [Fault] = [
    Fault(
      description: "Read marks are dropped", caughtBy: ["A read mark is"],
      mark: { mark, _ in mark = nil }),
    Fault(
      description: "The last read mark replaces the furthest one", caughtBy: ["A read mark never"],
      info: { info, memory in info.readMark = memory.with { $0.mark } ?? info.readMark }),
    Fault(
      description: "A read mark applies to every account", caughtBy: ["A read mark applies"],
      info: { info, memory in info.readMark = memory.with { $0.mark } ?? info.readMark }),
    Fault(
      description: "A read mark is accepted in any epoch", caughtBy: ["A read mark of"],
      flaws: [.readsInAnyEpoch]),
  ]
}
