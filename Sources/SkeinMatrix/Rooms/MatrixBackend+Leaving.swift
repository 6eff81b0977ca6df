public import SkeinModel

extension MatrixBackend {
  /// Leaves a room. Succeeds also if the account is no member of the room.
  public func leave(_ group: ConversationRef) async throws {
    do {
      try await calls.post(["rooms", group.rawValue, "leave"])
    } catch let error as BackendError where error.isMissing {
      // The account has left the room before.
    }
  }
}
