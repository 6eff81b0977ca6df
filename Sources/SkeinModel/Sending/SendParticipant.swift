/// A part of the app that has a say in what is sent: one business, one participant.
///
/// Every message goes along one line: contribute → intercept → will send → *save* → prepare → *post* → modify, where it
/// failed → *save* → did end. Each call goes to all participants, in the order of ``ChatOptions/sendParticipants``; what
/// one changes is what the next one sees. All calls have a default that does nothing.
///
/// 1. A new message, every copy of a forward and a message that failed and is sent again by hand go along the whole line.
///    What is tried again by itself, or is sent again although it may have arrived, goes out byte for byte as it was.
/// 2. All calls but ``prepare(_:)`` are synchronous and local: they return at once, and wait for nothing and nobody.
/// 3. Edits of messages that were sent pass no participant, and neither do recalls, reactions and pins; what is to be
///    checked in an edit, the app checks before ``ChatMessenger/edit(_:to:)``.
///
/// ```swift
/// struct Verification: SendParticipant {
///   let account: VerifiedAccount
///
///   func contribute(to draft: inout MessageDraft) { draft.parameters["verified"] = account.level }
///   func intercept(_ draft: inout MessageDraft) -> SendDecision {
///     account.isVerified ? .proceed : .reject(SendFailure(.rejected, "Verify your account first."))
///   }
/// }
/// ```
public protocol SendParticipant: Sendable {
  /// What its ``prepare(_:)`` is known by in the database, so it never changes; two participants of one account have
  /// different names. The type's name by default.
  var name: String { get }

  /// Adds base parameters to a message. Called by whoever sends, on their isolation, before anything is stored.
  func contribute(to draft: inout MessageDraft)

  /// Lets a message pass, changed or not, or stops it; what follows does not see one that was stopped. Called by whoever
  /// sends, on their isolation, once all have contributed. May meet a content again that it has changed before.
  func intercept(_ draft: inout MessageDraft) -> SendDecision

  /// Hears of a message that all let pass, as it will be stored; the disk may still refuse it. Called by whoever sends, on
  /// their isolation.
  func willSend(_ draft: MessageDraft)

  /// Whether the message has to go through ``prepare(_:)``. Asked where the message is stored, and again before it is
  /// prepared.
  func needsPreparation(_ draft: MessageDraft) -> Bool

  /// Gets a message ready that is in the list already, and whose attachments are on the server: asks a server whether its
  /// text may go out, say. What is changed is stored before the next participant's turn.
  ///
  /// May run again, after a failure or a crash and even while an earlier call has not ended, until one has succeeded and
  /// that is stored: the same draft twice has to be as good as once. Runs on no actor, beside other conversations; nothing
  /// of its own overtakes the message meanwhile, where the ``LanePolicy`` does not say so. The call is cancelled, and not
  /// waited for, when the message is taken back, the client stops, or ``preparationTimeout`` is over.
  ///
  /// - Throws: ``SendFailure`` to have the message fail with it, ``BackendError`` with `permanent` or `unsupported` to have
  ///   it refused; after any other error it is tried again, after ``BackendError/retryAfter`` or a growing while. Where
  ///   ``isPreparationOptional``, after any error the message goes on as it was.
  func prepare(_ draft: inout MessageDraft) async throws

  /// How long one ``prepare(_:)`` may take before it counts as failed for now. 30 s by default.
  var preparationTimeout: Duration { get }

  /// Whether a message goes on as it was where ``prepare(_:)`` throws or takes longer than ``preparationTimeout``,
  /// instead of failing or being prepared again. False by default.
  var isPreparationOptional: Bool { get }

  /// Rewrites why a message failed or is uncertain, before that is stored or shown; the status stays as it is. Called in the
  /// middle of a transaction, where everything else waits for it, and maybe more than once: it may use nothing but what it
  /// is given.
  func modify(_ failure: SendFailure, of message: ChatMessage) -> SendFailure

  /// Hears how the sending of a message ended, as the list shows it by now: `sent`, `failed`, `uncertain` or `cancelled`.
  /// Called on a task of the client's, one end after the other; one that takes its time holds up the next, and no message.
  ///
  /// Each end is told at most once: what ends right before a crash is in the database and is not told. A message that is sent
  /// again by hand, or is uncertain and turns out to have arrived, or not to, ends again.
  func didEnd(_ message: ChatMessage, as end: SendState)
}

/// What a ``SendParticipant`` says to a message that is about to be sent.
public enum SendDecision: Sendable, Hashable {
  /// It may go, with the content that the draft has now.
  case proceed
  /// It may not go. Kept, it stands in the list as failed, for this reason, and its user may try again; not kept, nothing
  /// is stored and `send` throws the failure.
  case reject(SendFailure, keepsMessage: Bool = true)
}

extension SendParticipant {
  /// The type's name.
  public var name: String { "\(Self.self)" }
  /// Adds nothing.
  public func contribute(to draft: inout MessageDraft) {}
  /// Lets everything pass.
  public func intercept(_ draft: inout MessageDraft) -> SendDecision { .proceed }
  /// Does nothing.
  public func willSend(_ draft: MessageDraft) {}
  /// Nothing has to.
  public func needsPreparation(_ draft: MessageDraft) -> Bool { false }
  /// Does nothing.
  public func prepare(_ draft: inout MessageDraft) async throws {}
  /// Half a minute.
  public var preparationTimeout: Duration { .seconds(30) }
  /// It has to succeed.
  public var isPreparationOptional: Bool { false }
  /// Leaves it as it is.
  public func modify(_ failure: SendFailure, of message: ChatMessage) -> SendFailure { failure }
  /// Does nothing.
  public func didEnd(_ message: ChatMessage, as end: SendState) {}
}
