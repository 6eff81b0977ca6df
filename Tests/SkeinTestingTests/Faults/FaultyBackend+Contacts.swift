import Skein

extension FaultyBackend {
  func contacts(since version: ContactVersion?) async throws -> ContactDelta {
    if let version, fault.flaws.contains(.refusesUnknownVersions),
      !memory.with({ $0.versions.contains(version) })
    {
      throw BackendError(.permanent, "There is no such version.")
    }
    var delta = try await altering { try await base.require(\.contacts).contacts(since: version) }
    fault.contacts(&delta, memory)
    memory.with { [next = delta.next] in _ = $0.versions.insert(next) }
    return delta
  }

  func leave(_ group: ConversationRef) async throws {
    let isFirst = memory.with { [user = memory.user] state in
      defer { state.left.append(user) }
      return !state.left.contains(user)
    }
    if !isFirst, fault.flaws.contains(.leavesOnce) {
      throw BackendError(.permanent, "There is no such group.")
    }
    if fault.flaws.contains(.leavesInName) { return }
    try await altering { try await base.require(\.leaving).leave(group) }
  }
}
