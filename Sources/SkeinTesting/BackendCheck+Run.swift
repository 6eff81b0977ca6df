import SkeinModel

extension BackendCheck {
  /// Runs the check on a server.
  ///
  /// - Parameters:
  ///   - server: the server to check; ``TestServer/finish()`` is called at the end.
  ///   - limit: the time limit of the check, and of `finish()`. A check that exceeds the limit fails and
  ///     reports the current step. This also holds if a call blocks its thread for ever; the blocked thread
  ///     is then lost.
  /// - Throws: ``ConformanceFailure``; `CancellationError` if the task is cancelled.
  @discardableResult
  public func run(on server: any TestServer, within limit: Duration = .seconds(60)) async throws
    -> CheckOutcome
  {
    let stage = Stage(server, patience: min(limit / 2, .seconds(10)))
    let end: Result<CheckOutcome, any Error>
    do {
      end = .success(try await outcome(on: stage, within: limit))
    } catch {
      end = .failure(error)
    }
    await stage.close()
    let isFinished = await Deadline.finishes(within: limit) { await server.finish() }
    let outcome = try end.get()
    if isFinished { return outcome }
    throw ConformanceFailure(
      check: name, detail: "The test server's finish() did not end within \(limit).")
  }

  private func outcome(on stage: Stage, within limit: Duration) async throws -> CheckOutcome {
    do {
      return try await Deadline.run(within: limit) { try await play(on: stage) }
    } catch CheckEnd.skipped(let reason) {
      return .skipped(reason: reason)
    } catch CheckEnd.failed(let detail) {
      throw ConformanceFailure(check: name, detail: detail)
    } catch is Deadline.Passed {
      throw ConformanceFailure(
        check: name, detail: "It did not end within \(limit), waiting for \(stage.step).")
    } catch is CancellationError where Task.isCancelled {
      throw CancellationError()
    } catch {
      throw ConformanceFailure(check: name, detail: "\(stage.step) threw \(error)")
    }
  }

  @concurrent private func play(on stage: Stage) async throws -> CheckOutcome {
    // The capabilities come from a separate backend, which no check uses.
    let abilities = try await stage.device().backend.capabilities.abilities
    if let need = needs.first(where: { !$0.isMet(by: stage.server, abilities) }) {
      return .skipped(reason: need.lack)
    }
    try await body(stage)
    return .passed
  }
}
