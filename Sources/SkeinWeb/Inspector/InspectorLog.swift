import Foundation
import Skein
import SkeinCards
import Synchronization

/// The latest 100 events, the latest 100 problems of plugins, and the timings since the front end's start.
final class InspectorLog: Sendable {
  struct Event: Sendable {
    let time: Timestamp
    let text: String
  }
  private struct State {
    var events: [Event] = []
    var problems: [CardProblem] = []
    var timings = Timings()
    var listeners: [UUID: AsyncStream<Void>.Continuation] = [:]
  }
  private static let most = 100
  private let client: ChatClient
  private let state = Mutex(State())
  private let following = Mutex<[Task<Void, Never>]>([])

  init(_ client: ChatClient) { self.client = client }

  /// Starts logging changes.
  func start() {
    following.withLock { following in
      following = [
        Task { for await state in client.connectionStates { note("connection: \(state)") } },
        Task {
          for await state in client.catchUpStates {
            self.state.withLock { $0.timings.note(state, at: client.now) }
            note("catching up: \(state)")
          }
        },
        Task {
          for await update in client.conversations.changes where !update.change.isEmpty {
            let change = update.change
            let conversations = (change.insertions + change.updates).map { update.snapshot[$0] }
            look(at: conversations)
            let changed = conversations.map(\.name)
            note(
              "chats: \(changed.prefix(5).joined(separator: ", "))\(changed.count > 5 ? " and \(changed.count - 5) more" : "")"
            )
          }
        },
      ]
    }
  }

  func stop() {
    for task in following.withLock({ $0 }) { task.cancel() }
  }

  /// Updates the timings with the last messages of these conversations.
  private func look(at conversations: [Conversation]) {
    let now = client.now
    state.withLock { state in
      for conversation in conversations {
        guard let message = conversation.lastMessage else { continue }
        state.timings.note(
          Timings.Sighting(
            message: message.id, time: message.time, isOwn: message.isOwn, status: message.status),
          in: conversation.id, at: now)
      }
    }
  }

  /// Records the time that drawing the cards of one change took.
  func noteDrawing(_ duration: Duration) {
    state.withLock { $0.timings.drawn.note(Int64(duration / .milliseconds(1))) }
  }

  var timings: Timings { state.withLock { $0.timings } }
  var events: [Event] { state.withLock { $0.events } }
  var problems: [CardProblem] { state.withLock { $0.problems } }

  func note(_ problem: CardProblem) {
    state.withLock { $0.problems = Array(($0.problems + [problem]).suffix(Self.most)) }
    note("plugin: \(problem)")
  }

  private func note(_ text: String) {
    let event = Event(time: client.now, text: text)
    let listeners = state.withLock { state in
      state.events = Array((state.events + [event]).suffix(Self.most))
      return state.listeners.values.map(\.self)
    }
    for listener in listeners { listener.yield() }
  }

  /// Yields after new events. Several events may be combined.
  var changes: AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = UUID()
      state.withLock { $0.listeners[id] = continuation }
      continuation.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
      }
    }
  }
}
