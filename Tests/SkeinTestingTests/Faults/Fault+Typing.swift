import Skein

extension Fault {
  static let typing: [Fault] = [
    Fault(
      description: "Nobody hears who types", caughtBy: ["Typing is reported"],
      vainWait: "to report that",
      event: { event, _ in if case .typing = event { nil } else { event } }),
    Fault(
      description: "Nobody hears who comes", caughtBy: ["A user who"], vainWait: "is online",
      event: { event, _ in
        if case .presence(_, let presence) = event, presence.isOnline { nil } else { event }
      }),
    Fault(
      description: "Nobody hears who goes", caughtBy: ["The loss of"], vainWait: "is offline",
      event: { event, _ in
        if case .presence(_, let presence) = event, !presence.isOnline { nil } else { event }
      }),
  ]
}
