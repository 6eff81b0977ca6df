/// Receives a chat client's events.
protocol ChatOutput: Sendable {
  /// Whether a person sees the output, so that shown messages count as read.
  var isRead: Bool { get }

  func show(_ events: [ChatEvent]) async
}

/// Writes a surface's text to the standard output, whole lines at a time.
actor PipeOutput: ChatOutput {
  nonisolated let isRead = false
  private var surface: any ChatSurface

  init(_ surface: any ChatSurface) { self.surface = surface }

  func show(_ events: [ChatEvent]) {
    let text = events.map { surface.text(for: $0) }.joined()
    if !text.isEmpty { StandardOutput.write(text) }
  }
}
