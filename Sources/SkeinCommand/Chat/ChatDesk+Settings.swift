import Skein
import SkeinCards

/// The account's settings of a chat. A step of the list of conversations reports each change.
extension ChatDesk {
  /// Sets or removes a setting of the open chat, or of the chat with a name.
  func set(_ setting: ConversationSetting, of name: String?, to isSet: Bool) async throws {
    try await client.conversations.set(setting, to: isSet, for: try chat(named: name))
  }

  /// Marks the open chat, or the chat with a name, as read.
  func markRead(_ name: String?) async throws {
    try await client.context(for: try chat(named: name)).markRead()
    await output.show([.read])
  }

  /// The chat with a name as in `/open`, or as in `/list` if only one chat has this name; the open chat if the
  /// name is nil.
  private func chat(named name: String?) throws -> ConversationID {
    guard let name else { return try openChat().conversation }
    let chats = client.conversations.conversations
    let user = UserID(name, like: client.account)
    let meant = group(named: name) ?? chats.first { $0.type == .direct && $0.peer == user }
    let namesakes = meant.map { [$0] } ?? chats.filter { $0.name == name }
    guard let chat = namesakes.first else { throw UsageError("There is no such chat; see /list.") }
    guard namesakes.count == 1 else {
      throw UsageError("\(namesakes.count) chats have this name: type /open USER first.")
    }
    return try member(of: chat, named: name)
  }
}
