/// A step of a client's work. In a kill matrix, a fault strikes at each statement of the step.
public enum KilledStep: String, CaseIterable, Sendable {
  /// The first opening of an account on a device, and its first sync.
  case firstOpening = "first opening and sync"
  /// The opening of an account with unsent messages.
  case opening = "opening with unsent messages"
  /// Composing texts without a network.
  case composing = "composing texts"
  /// Composing a picture without a network; its file is copied.
  case attaching = "composing a picture"
  /// Sending texts that were composed without a network, up to their receipts.
  case posting = "posting and acknowledging"
  /// Preparing and uploading a picture, and sending its message.
  case uploading = "uploading and posting"
  /// Syncing messages, revisions and read marks after a time without a network.
  case syncing = "syncing"
  /// Filling a gap.
  case fillingGap = "filling a gap"
  /// Paging to the start of a history.
  case paging = "loading history"
  /// Editing, recalling, pinning and starring messages, and reacting to them.
  case revising = "revising"
  /// Marking a chat as read.
  case marking = "marking read"
  /// Moving to a new epoch, after the server was restored from a backup.
  case changingEpoch = "moving to a new epoch"
  /// Opening a direct chat and a group.
  case openingChat = "opening a chat"
  /// Leaving a group.
  case leaving = "leaving a group"
  /// Syncing the removal of a contact, in whose chat messages are unsent.
  case removingContact = "syncing a removed contact"
  /// Deleting messages on the device.
  case deleting = "deleting messages"
  /// Clearing a chat, and deleting another chat.
  case clearing = "clearing and deleting a chat"
  /// Erasing an account with an unsent picture.
  case erasing = "erasing an account"
}
