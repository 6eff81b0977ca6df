import Skein

extension Fault {
  static let typing: [Fault] = [
    Fault(
      description: "Nobody hears who types", caughtBy: ["That somebody types"],
      vainWait: "to tell who types",
      event: { event, _ in if case .typing = event { nil } else { event } })
  ]
}
