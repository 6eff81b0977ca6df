public import SkeinModel

extension MatrixBackend {
  /// Leaves a room, or declines the invitation to it. Succeeds also if the account is neither a member nor invited.
  public func leave(_ group: ConversationRef) async throws {
    do {
      try await calls.post(["rooms", group.rawValue, "leave"])
    } catch let error as BackendError where error.isMissing {
      // The account has left the room before.
    }
  }
}
