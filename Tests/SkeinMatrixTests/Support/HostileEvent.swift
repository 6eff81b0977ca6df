import Testing

/// An event that no homeserver returns, or that somebody sends to disturb other clients.
struct HostileEvent: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let json: String
  /// Whether the event is shown as a message; otherwise it is left out.
  let isShown: Bool

  private init(_ name: String, _ json: String, isShown: Bool = false) {
    (testDescription, self.json, self.isShown) = (name, json, isShown)
  }

  /// A message in which a field is replaced, or added.
  private init(
    _ name: String, _ field: String, _ value: String, type: String = "m.room.message", isShown: Bool = false
  ) {
    var fields = [
      "event_id": #""$new""#, "type": #""\#(type)""#, "sender": #""@bob:example.org""#,
      "origin_server_ts": "1", "content": #"{"msgtype":"m.text","body":"new"}"#,
    ]
    fields[field] = value
    let json = fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    self.init(name, "{\(json)}", isShown: isShown)
  }

  /// A message with this content.
  private init(_ name: String, content: String, type: String = "m.room.message", isShown: Bool = false) {
    self.init(name, "content", content, type: type, isShown: isShown)
  }

  private static let enormous = "\"$\(String(repeating: "a", count: 100_000))\""

  /// Events in which a field that every event has is malformed.
  static let malformed = [
    HostileEvent("a number", "7"), HostileEvent("null", "null"), HostileEvent("nothing", "{}"),
    HostileEvent("an array", "[[]]"),
    HostileEvent("no id", "event_id", "null"), HostileEvent("a number as id", "event_id", "7"),
    HostileEvent("an empty id", "event_id", #""""#), HostileEvent("an enormous id", "event_id", enormous),
    HostileEvent("a path as id", "event_id", #""../../login""#),
    HostileEvent("an empty sender", "sender", #""""#), HostileEvent("an array as sender", "sender", "[]"),
    HostileEvent("an object as type", "type", "{}"),
    HostileEvent("a time as a text", "origin_server_ts", #""1""#),
    HostileEvent("a time beyond Int64", "origin_server_ts", "9223372036854775808"),
    HostileEvent("the last time of Int64", "origin_server_ts", "9223372036854775807"),
    HostileEvent("a time with a fraction", "origin_server_ts", "1.5"),
    HostileEvent("a time that is no number of a Double", "origin_server_ts", "1e999"),
  ]

  /// Messages whose content, or a field that some events have, is malformed.
  static let odd = [
    HostileEvent("a negative time", "origin_server_ts", "-5", isShown: true),
    HostileEvent("a number as content", content: "7", isShown: true),
    HostileEvent("null as content", content: "null", isShown: true),
    HostileEvent("a number as text", content: #"{"msgtype":"m.text","body":7}"#, isShown: true),
    HostileEvent("300 levels", content: #"{"a":\#(HostileAnswer.nested(300))}"#, isShown: true),
    HostileEvent("100,000 levels", content: #"{"a":\#(HostileAnswer.nested(100_000))}"#, isShown: true),
    HostileEvent("half a character", content: #"{"msgtype":"m.text","body":"\ud800"}"#, isShown: true),
    HostileEvent("half a character as a key", content: #"{"\ud800":1}"#, isShown: true),
    HostileEvent("U+0000", content: #"{"msgtype":"m.text","body":"a\u0000b"}"#, isShown: true),
    HostileEvent("a number of no Double", content: #"{"msgtype":"x","a":1e999}"#, isShown: true),
    HostileEvent(
      "the same key twice", content: #"{"msgtype":"m.text","msgtype":7,"body":"a"}"#, isShown: true),
    HostileEvent(
      "an enormous file", content: #"{"msgtype":"m.file","url":"mxc://a/b","info":{"size":1e300}}"#,
      isShown: true),
    HostileEvent(
      "an id of Skein as a number", content: #"{"io.skein.message":{"kind":"text","id":7}}"#, isShown: true),
    HostileEvent(
      "a redaction as a number", "unsigned", #"{"redacted_because":7,"m.relations":[],"transaction_id":{}}"#,
      isShown: true),
    HostileEvent(
      "a reply to itself", content: relation(#""m.in_reply_to":{"event_id":"$new"}"#), isShown: true),
    HostileEvent(
      "a reply to nothing", content: relation(#""m.in_reply_to":{"event_id":\#(enormous)}"#), isShown: true),
    HostileEvent("an edit of itself", content: edit(of: #""$new""#)),
    HostileEvent("an edit of an enormous id", content: edit(of: enormous), isShown: true),
    HostileEvent("an edit of nothing", content: edit(of: #""$none""#)),
    HostileEvent(
      "a reaction to itself", content: annotation(of: #""$new""#), type: "m.reaction"),
    HostileEvent("a reaction to an enormous id", content: annotation(of: enormous), type: "m.reaction"),
    HostileEvent(
      "a reaction with no key", content: relation(#""rel_type":"m.annotation""#), type: "m.reaction"),
    HostileEvent("a redaction of itself", content: #"{"redacts":"$new"}"#, type: "m.room.redaction"),
    HostileEvent(
      "a redaction of an enormous id", content: #"{"redacts":\#(enormous)}"#, type: "m.room.redaction"),
    HostileEvent("a name as a number", "state_key", #""","content":{"name":7}"#, type: "m.room.name"),
    HostileEvent(
      "pins of enormous ids", "state_key", #""","content":{"pinned":[\#(enormous),7,"$none"]}"#,
      type: "m.room.pinned_events"),
    HostileEvent("a membership as an array", "state_key", #""","content":[]"#, type: "m.room.member"),
  ]

  private static func relation(_ fields: String) -> String {
    #"{"msgtype":"m.text","body":"new","m.relates_to":{\#(fields)}}"#
  }

  private static func edit(of id: String) -> String {
    #"{"msgtype":"m.text","body":"* b","m.new_content":{"msgtype":"m.text","body":"b"},"#
      + #""m.relates_to":{"rel_type":"m.replace","event_id":\#(id)}}"#
  }

  private static func annotation(of id: String) -> String {
    #"{"m.relates_to":{"rel_type":"m.annotation","key":"+","event_id":\#(id)}}"#
  }
}
