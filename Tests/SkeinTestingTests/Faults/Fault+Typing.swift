import Skein

extension Fault {
  static let typing: [Fault] = [
    Fault(
      description: "Typing is not reported", caughtBy: ["Typing is reported"],
      vainWait: "to report that",
      event: { event, _ in if case .typing = event { nil } else { event } }),
    Fault(
      description: "A user who comes online is not reported", caughtBy: ["A user who"], vainWait: "is online",
      event: { event, _ in
        if case .presence(_, let presence) = event, presence.isOnline { nil } else { event }
      }),
    Fault(
      description: "A user who goes offline is not reported", caughtBy: ["The loss of"],
      vainWait: "is offline",
      event: { event, _ in
        if case .presence(_, let presence) = event, !presence.isOnline { nil } else { event }
      }),
  ]
}
