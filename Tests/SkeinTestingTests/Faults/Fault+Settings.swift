import Skein

extension Fault {
  static let settings: [Fault] = [
    Fault(
      description: "Settings are not reported",
      caughtBy: ["A setting of a conversation", "A setting applies"],
      info: { info, _ in info.settings = ConversationSettings() }),
    Fault(
      description: "The removal of a setting is not reported", caughtBy: ["A setting of a conversation"],
      info: { info, _ in if info.settings[.pinned] == false { info.settings[.pinned] = nil } }),
    Fault(
      description: "Every conversation is muted",
      caughtBy: ["A setting of a conversation", "A setting applies"],
      info: { info, _ in info.settings[.muted] = true }),
  ]
}
