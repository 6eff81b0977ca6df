import Skein

extension Fault {
  static let typing: [Fault] = [
    Fault(
      description: "Nobody hears who types", caughtBy: ["That somebody types"],
      vainWait: "to tell who types",
      event: { event, _ in if case .typing = event { nil } else { event } }),
    Fault(
      description: "Nobody hears who comes", caughtBy: ["Whoever connects"], vainWait: "has come",
      event: { event, _ in
        if case .presence(_, let presence) = event, presence.isOnline { nil } else { event }
      }),
    Fault(
      description: "Nobody hears who goes", caughtBy: ["Of whoever has no"], vainWait: "has gone",
      event: { event, _ in
        if case .presence(_, let presence) = event, !presence.isOnline { nil } else { event }
      }),
  ]
}
