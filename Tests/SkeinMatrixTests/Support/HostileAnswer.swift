import SkeinTransport
import Testing

@testable import SkeinMatrix

/// An answer that is no answer of a homeserver, and a part of the error that it causes.
struct HostileAnswer: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let answer: TransportAnswer
  let problem: String

  private init(_ name: String, _ body: String, status: Int = 200, _ problem: String) {
    self.init(name, Array(body.utf8), status: status, problem)
  }

  private init(_ name: String, _ body: [UInt8], status: Int = 200, _ problem: String) {
    testDescription = name
    answer = TransportAnswer(status: status, body: body)
    self.problem = problem
  }

  /// Bodies that are no JSON object, and statuses that no homeserver gives.
  static let everywhere = [
    HostileAnswer("a page of a proxy", "<html><body>Sign in</body></html>", "not valid JSON"),
    HostileAnswer("nothing", "", "not valid JSON"),
    HostileAnswer("JSON that breaks off", #"{"next_batch":"s1","rooms":{"join":{"#, "not valid JSON"),
    HostileAnswer("an array", "[]", "no object"),
    HostileAnswer("null", "null", "no object"),
    HostileAnswer("a text in Latin-1", [0x7B, 0x22, 0xE4, 0x22, 0x3A, 0x31, 0x7D], "no object"),
    HostileAnswer("300 levels", nested(300), "no object"),
    HostileAnswer("a redirect", "", status: 302, "302"),
    HostileAnswer("a failure without a body", "", status: 503, "503"),
    HostileAnswer("an error code as a number", #"{"errcode":7}"#, status: 400, "400"),
    HostileAnswer("a success without a body", "", status: 204, "not valid JSON"),
  ]

  /// Syncs of a wrong form.
  static let syncs =
    everywhere + [
      HostileAnswer("no token", "{}", "next_batch is missing"),
      HostileAnswer("an empty token", #"{"next_batch":""}"#, "next_batch"),
      HostileAnswer(
        "an enormous token", #"{"next_batch":"\#(String(repeating: "a", count: 100_000))"}"#, "next_batch"),
      HostileAnswer("a number as token", #"{"next_batch":7}"#, "next_batch"),
      HostileAnswer("rooms as a number", #"{"next_batch":"s9","rooms":7}"#, "rooms"),
      HostileAnswer("rooms as an array", #"{"next_batch":"s9","rooms":{"join":[]}}"#, "rooms.join"),
      HostileAnswer("a room as null", sync("null"), "rooms.join.!room:example.org"),
      HostileAnswer("events as an object", sync(#"{"timeline":{"events":{}}}"#), "timeline.events"),
      HostileAnswer("a limit as a text", sync(#"{"timeline":{"limited":"yes"}}"#), "timeline.limited"),
      HostileAnswer("a place as a number", sync(#"{"timeline":{"prev_batch":7}}"#), "timeline.prev_batch"),
      HostileAnswer("state as a text", sync(#"{"state":{"events":"none"}}"#), "state.events"),
      HostileAnswer("receipts as null in a text", sync(#"{"ephemeral":"null"}"#), "ephemeral"),
      HostileAnswer(
        "3,000 events", sync(#"{"timeline":{"events":[\#(events(3000))]}}"#), "3000 events"),
    ]

  /// Pages of a wrong form, which have no events to show.
  static let pages =
    everywhere + [
      HostileAnswer("no start", "{}", "start is missing"),
      HostileAnswer("a number as end", #"{"start":"s9","end":7}"#, "end"),
      HostileAnswer("an empty end", #"{"start":"s9","end":""}"#, "end"),
      HostileAnswer("a chunk as an object", #"{"start":"s9","chunk":{}}"#, "chunk"),
      HostileAnswer("3,000 events", #"{"start":"s9","chunk":[\#(events(3000))]}"#, "3000 events"),
    ]

  static func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  private static func sync(_ room: String) -> String {
    #"{"next_batch":"s9","rooms":{"join":{"!room:example.org":\#(room)}}}"#
  }

  private static func events(_ count: Int) -> String {
    (0..<count).map { number in
      #"{"event_id":"$x\#(number)","type":"m.room.message","sender":"@a:b","origin_server_ts":1,"content":{}}"#
    }.joined(separator: ",")
  }
}
