#if os(Linux)
  import Synchronization

  /// The tasks of a server's handlers; no task outlives the server.
  final class HandlerTasks: Sendable {
    private struct State {
      var tasks: [Int: Task<Void, Never>] = [:]
      var last = 0
      var isStopping = false
    }

    private let state = Mutex(State())

    /// Runs `body` in a new task and returns the task; `nil` once the server stops.
    func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
      state.withLock { state in
        guard !state.isStopping else { return nil }
        state.last += 1
        let number = state.last
        let task = Task { [self] in
          await body()
          self.state.withLock { _ = $0.tasks.removeValue(forKey: number) }
        }
        state.tasks[number] = task
        return task
      }
    }

    /// Cancels all tasks and waits until they end. No new task can start from now on.
    func stop() async {
      let tasks = state.withLock { state in
        state.isStopping = true
        return Array(state.tasks.values)
      }
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
    }
  }
#endif
