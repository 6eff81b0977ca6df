/// An action of a user, or a change on the server, in a simulated world.
public enum SimulatedAction: String, CaseIterable, Sendable {
  /// A direct chat or a group is opened.
  case openChat = "open a chat"
  /// One or several texts are sent.
  case sendText = "send texts"
  /// A picture is sent once or twice, each time to a random chat.
  case sendImage = "send an image"
  /// A picture of another server is sent.
  case sendLinkedImage = "send an image of another server"
  /// A message that depends on another message is sent.
  case follow = "send a dependent message"
  /// Messages are forwarded to another chat.
  case forward = "forward"
  /// A message is answered.
  case reply = "reply"
  /// A failed or uncertain message is sent again.
  case retry = "send again"
  /// An unsent message is cancelled.
  case cancel = "cancel"
  /// A chat is marked as read.
  case markRead = "mark read"
  /// The window is moved up or down.
  case loadMore = "load more"
  /// A gap is filled.
  case fillGap = "fill a gap"
  /// The window jumps to a message, a time or the end.
  case jump = "jump"
  /// Messages are deleted on the device.
  case delete = "delete messages"
  /// A chat is cleared on the device.
  case clear = "clear a chat"
  /// A chat is deleted on the device.
  case deleteChat = "delete a chat"
  /// The draft of a chat is written or removed.
  case writeDraft = "write a draft"
  /// A chat is muted, pinned or marked as unread, or this is undone.
  case changeSettings = "mute, pin or mark a chat"
  /// The user types.
  case type = "type"
  /// The client is stopped, or started.
  case stopOrStart = "stop or start"
  /// The client is closed.
  case close = "close"
  /// The app goes to the background, or comes back.
  case changePhase = "background or foreground"
  /// A reaction is added or removed.
  case react = "react"
  /// An own message is edited.
  case edit = "edit"
  /// An own sent message is recalled.
  case recall = "recall"
  /// A flag of a message is set or removed.
  case flag = "flag or unflag"
  /// Two devices pin a message at once, and one device unpins the message again.
  case pinTogether = "pin on two devices"
  /// A message whose outcome is unknown is recalled or edited.
  case reviseUncertain = "act on an uncertain message"
  /// The last revision is undone, or the last edit is replaced.
  case revertAction = "revert an action"
  /// The contact list changes on the server.
  case changeContacts = "change contacts"
  /// A group is left.
  case leave = "leave a group"
  /// The server adds a user to a group, or removes a member.
  case changeMembers = "change members"
  /// A user is invited to a group, or the invitation is withdrawn.
  case invite = "invite or withdraw"
  /// An invitation is accepted or declined.
  case answerInvitation = "answer an invitation"
  /// A member posts many messages at once.
  case flood = "flood"
  /// The server drops old messages.
  case trim = "trim"
  /// A conversation gets another ref.
  case replace = "replace a ref"
}

extension SimulatedAction: Weighted {
  var weight: Int {
    switch self {
    case .openChat: 35
    case .sendText: 410
    case .sendImage: 100
    case .sendLinkedImage, .forward: 20
    case .follow: 30
    case .reply: 50
    case .retry: 70
    case .cancel: 40
    case .markRead, .loadMore: 70
    case .fillGap, .jump: 40
    case .delete: 20
    case .clear: 3
    case .deleteChat: 2
    case .type, .writeDraft, .changeSettings: 10
    case .stopOrStart, .close: 30
    case .changePhase: 20
    case .react: 60
    case .edit: 40
    case .recall: 13
    case .flag, .pinTogether: 40
    case .reviseUncertain, .revertAction: 80
    case .changeContacts: 20
    case .leave, .changeMembers: 2
    case .invite: 3
    case .answerInvitation: 60
    case .flood: 3
    case .trim, .replace: 4
    }
  }
}
