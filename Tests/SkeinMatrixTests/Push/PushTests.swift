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
