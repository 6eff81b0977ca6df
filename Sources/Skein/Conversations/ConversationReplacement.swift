import SkeinStorage

/// Continues a stored conversation under the ref that has replaced its ref on the server.
///
/// The conversation keeps its id, messages, spans and settings. Its waiting operations use the new ref from their next
/// attempt on. A post whose outcome is unknown is looked up first, since the server may recognize a repeated message only
/// under the ref of the first attempt.
struct ConversationReplacement {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Finds the stored conversation that the server describes. If it continues others, these are merged into the oldest one,
  /// which gets the new ref.
  func findContinued(_ info: ConversationInfo) throws -> ConversationRow? {
    var known = try work.rows.conversation(named: info.ref)
    for ref in info.replaces where ref != info.ref {
      guard let replaced = try work.rows.conversation(named: ref) else { continue }
      if let later = known {
        // The account is a member now, so nothing waits for an answer to an invitation.
        try Invitations(work).noteJoining(of: later.id)
        try keepOpen(replaced, as: later)
        try ConversationMerge(work).merge(work.row(of: later.id), into: replaced.id)
      }
      try work.change(replaced.id) { $0.ref = info.ref }
      // The late answer to an opening would bring the earlier ref back.
      try ConversationOpenings(work).endOpening(of: replaced.id)
      try reopen(replaced.id)
      try work.save(replaced.id)
      try ContactRecords(work).applySettings(to: replaced.id)
      known = try work.row(of: replaced.id)
    }
    return known
  }

  /// Opens a replaced conversation whose continuation is open: the account has left it, and is a member again.
  private func keepOpen(_ replaced: ConversationRow, as later: ConversationRow) throws {
    if try work.row(of: later.id).isClosed || work.rows.leaving(replaced.id) != nil { return }
    try work.change(replaced.id) { $0.isClosed = false }
  }

  /// Opens a conversation that was closed under its old ref, if the contact list contains it under the new one.
  private func reopen(_ id: ConversationID) throws {
    let row = try work.row(of: id)
    guard row.isClosed, let contact = try work.rows.contact(of: row), contact.removed == nil,
      try work.rows.leaving(id) == nil
    else { return }
    try work.change(id) { $0.isClosed = false }
  }
}
