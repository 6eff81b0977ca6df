import Foundation
import SkeinModel
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

@Suite("The push channel of a Matrix backend")
struct PushTests {
  /// Answers polls by their tokens: a reaction after `s1`, a message after `s2`, and then the session has ended.
  private static func answer(_ request: TransportRequest) -> TransportAnswer {
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let (status, body): (Int, String) =
      switch items.first(where: { $0.name == "since" })?.value {
      case nil: (200, #"{"next_batch":"s1"}"#)
      case "s1":
        (
          200,
          news(
            "m.reaction",
            #"{"m.relates_to":{"rel_type":"m.annotation","event_id":"$old","key":"+"}}"#, next: "s2")
        )
      case "s2": (200, news("m.room.message", #"{"msgtype":"m.text","body":"hello"}"#, next: "s3"))
      default: (401, #"{"errcode":"M_UNKNOWN_TOKEN"}"#)
      }
    return TransportAnswer(status: status, body: Array(body.utf8))
  }

  private static func news(_ type: String, _ content: String, next: String) -> String {
    #"""
    {"next_batch":"\#(next)","rooms":{"join":{"!r:a":{"timeline":{"events":[
      {"event_id":"$\#(next)","type":"\#(type)","sender":"@bob:a","origin_server_ts":1,"content":\#(content)}
    ]}}}}}
    """#
  }

  /// The reports of typing, and the timeouts of the polls, until the homeserver refuses the poll from `s4`.
  ///
  /// - Parameter rooms: the rooms in the answer to the poll from a cursor.
  private func typing(_ rooms: [String: JSONValue]) async -> (reports: [Bool], timeouts: [String]) {
    let timeouts = Mutex<[String]>([])
    let homeserver = ScriptedTransport { request in
      guard request.url.path().hasSuffix("/sync") else { return .refusal(404, "M_NOT_FOUND") }
      let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
      let since = items.first { $0.name == "since" }?.value ?? "s0"
      timeouts.withLock { $0.append(items.first { $0.name == "timeout" }?.value ?? "") }
      guard since != "s4" else { return .refusal(401, "M_UNKNOWN_TOKEN") }
      var answer: JSONValue = ["next_batch": .string("s\((Int(since.dropFirst()) ?? 0) + 1)")]
      if let rooms = rooms[since] { answer["rooms"] = rooms }
      return .json(answer)
    }
    let backend = MatrixBackend(
      .alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
    let reports = Mutex<[Bool]>([])
    await #expect(throws: BackendError.self) {
      try await backend.run(since: SyncCursor(rawValue: "s1")) { event in
        if case .typing(_, _, let isTyping) = event { reports.withLock { $0.append(isTyping) } }
      }
    }
    return (reports.withLock { $0 }, timeouts.withLock { $0 })
  }

  private func typing(by users: JSONValue) -> JSONValue {
    let event: JSONValue = ["type": "m.typing", "content": ["user_ids": users]]
    return ["join": ["!r:a": ["ephemeral": ["events": [event]]]]]
  }

  @Test("A user who types on is reported with each answer, and the homeserver answers every few seconds")
  func typing() async throws {
    let (reports, timeouts) = await typing(["s1": typing(by: ["@bob:a"]), "s3": typing(by: [])])
    #expect(reports == [true, true, false])
    #expect(timeouts == ["0", "25000", "4000", "4000", "25000"])
  }

  @Test("Typing in a room ends when this account leaves the room")
  func typingInLeftRoom() async throws {
    let (reports, timeouts) = await typing(["s1": typing(by: ["@bob:a"]), "s2": ["leave": ["!r:a": [:]]]])
    #expect(reports == [true, false])
    #expect(timeouts == ["0", "25000", "4000", "25000", "25000"])
  }

  @Test("While messages stream in, polls follow each other in the pause that the options state, or later")
  func paced() async throws {
    let polls = Mutex<[ContinuousClock.Instant]>([])
    let homeserver = ScriptedTransport { request in
      polls.withLock { $0.append(.now) }
      return Self.answer(request)
    }
    var options = MatrixOptions()
    options.pollPause = .milliseconds(50)
    let backend = MatrixBackend(
      .alice, options: options, transport: ScriptedTransport(404, #"{"errcode":"M_NOT_FOUND"}"#),
      polling: homeserver)
    await #expect(throws: BackendError.self) {
      try await backend.run(since: SyncCursor(rawValue: "s1")) { _ in }
    }
    // The first poll opens the channel, and the second one follows at once.
    let times = polls.withLock { $0 }
    try #require(times.count == 4)
    #expect(times[2] - times[1] >= options.pollPause && times[3] - times[2] >= options.pollPause)
  }

  @Test("If a change can't be fetched, the batch after it does not continue from the stored cursor")
  func failedFetch() async throws {
    let calls = ScriptedTransport { request in
      let isEvent = request.url.path().contains("/event/")
      let body = isEvent ? "" : #"{"errcode":"M_NOT_FOUND"}"#
      return TransportAnswer(status: isEvent ? 502 : 404, body: Array(body.utf8))
    }
    let backend = MatrixBackend(
      .alice, options: MatrixOptions(), transport: calls, polling: ScriptedTransport(Self.answer))
    let events = Mutex<[BackendEvent]>([])
    let error = await #expect(throws: BackendError.self) {
      try await backend.run(since: SyncCursor(rawValue: "s1")) { event in events.withLock { $0.append(event) }
      }
    }
    #expect(error?.code == .unauthorized)
    let received = events.withLock { $0 }
    let pokes = received.indices.filter { if case .poke = received[$0] { true } else { false } }
    let batches = received.compactMap { if case .batch(let batch) = $0 { batch } else { nil } }
    #expect(pokes.count == 1)
    #expect(batches.map(\.from?.rawValue) == ["s2"])
    #expect(batches.map(\.next.rawValue) == ["s3"])
  }
}
