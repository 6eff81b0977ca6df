public import SkeinModel

extension MatrixBackend {
  /// Leaves a room with those that it replaces, or declines the invitation to it. Succeeds also if the account is neither a
  /// member nor invited.
  public func leave(_ group: ConversationRef) async throws {
    // The oldest first: if the call is interrupted, its repetition still finds them.
    for room in try await replaced(by: group).reversed() + [group] {
      // The account may have left the room before.
      _ = try await optional(\.isMissing) { try await calls.post(["rooms", room.rawValue, "leave"]) }
    }
  }
}
