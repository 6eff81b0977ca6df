/// An event as one JSON object, which `skein chat --json` writes for scripts. The object's `event` is the
/// name of the enum case.
///
/// At `opened`, the open chat's list is empty. Applying the steps of the following `message` and `gap`
/// records in order gives the list.
enum EventRecord: Equatable, Sendable {
  case connection(ConnectionRecord)
  case sync(SyncRecord)
  case conversation(StepRecord, ConversationRecord)
  /// The user requested the list of conversations.
  case list(count: Int)
  case opened(OpenedRecord)
  case message(StepRecord, MessageRecord)
  case gap(StepRecord, GapRecord)
  case reloaded(ReloadedRecord)
  case offers([OfferRecord])
  case opens(PageOfAppRecord)
  case stored(StoredRecord)
  case standing(StandingRecord)
  case waiting([StandingRecord])
  case found([MessageRecord])
  case flagged(String, [FlaggedRecord])
  case cancelled(CancelledRecord)
  case page(PageRecord)
  case saved(SavedRecord)
  case read
  case receipt(ReceiptRecord)
  /// Failed or uncertain messages are being sent again.
  case retried(count: Int)
  case problem(ProblemRecord)
  /// The client ends while this many messages still wait.
  case ended(count: Int)
}
