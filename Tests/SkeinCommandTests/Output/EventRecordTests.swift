import Foundation
import Skein
import Testing

@testable import SkeinCommand

@Suite("Records of events are JSON objects")
struct EventRecordTests {
  private static let message = MessageRecord(
    id: 1, messageID: "m", sender: "alice", own: true, time: 5, kind: "text", text: "x", status: .sent)
  private static let standing = StandingRecord(
    id: 1, messageID: "m", state: .waitingForConnection, until: 9, note: "no connection")

  private static let cases: [(EventRecord, String)] = [
    (EventRecord.connection(ConnectionRecord(.online)), #"{"event":"connection","state":"online"}"#),
    (
      EventRecord.connection(ConnectionRecord(.signedOut(reason: FailureReason(.unauthorized, "r")))),
      #"{"event":"connection","reason":"r","state":"signedOut"}"#
    ),
    (
      EventRecord.conversation(
        StepRecord(.inserted, 0, moves: true),
        ConversationRecord(id: 1, name: "b", unread: 2, unreadIsAtLeast: false)),
      #"""
      {"change":"inserted","event":"conversation","id":1,"index":0,"moves":true,"name":"b","unread":2,\#
      "unreadIsAtLeast":false}
      """#
    ),
    (EventRecord.list(count: 2), #"{"count":2,"event":"list"}"#),
    (
      EventRecord.opened(OpenedRecord(id: 1, name: "bob", count: 0, hasMore: false)),
      #"{"count":0,"event":"opened","hasMore":false,"id":1,"name":"bob"}"#
    ),
    (
      EventRecord.message(StepRecord(.changed, 3), message),
      #"""
      {"change":"changed","event":"message","id":1,"index":3,"kind":"text","messageID":"m","own":true,\#
      "sender":"alice","status":"sent","text":"x","time":5}
      """#
    ),
    (
      EventRecord.gap(StepRecord(.removed, 1), GapRecord(.stalled, unread: 4)),
      #"{"change":"removed","event":"gap","index":1,"state":"stalled","unread":4}"#
    ),
    (EventRecord.stored(StoredRecord(id: 1, messageID: "m")), #"{"event":"stored","id":1,"messageID":"m"}"#),
    (
      EventRecord.standing(standing),
      #"""
      {"event":"standing","id":1,"messageID":"m","note":"no connection","state":"waitingForConnection",\#
      "until":9}
      """#
    ),
    (
      EventRecord.waiting([standing]),
      #"""
      {"count":1,"event":"waiting","waiting":[{"event":"standing","id":1,"messageID":"m",\#
      "note":"no connection","state":"waitingForConnection","until":9}]}
      """#
    ),
    (
      EventRecord.found([message]),
      #"""
      {"count":1,"event":"found","found":[{"event":"message","id":1,"kind":"text","messageID":"m",\#
      "own":true,"sender":"alice","status":"sent","text":"x","time":5}]}
      """#
    ),
    (
      EventRecord.flagged(
        "pin", [FlaggedRecord(sender: "bob", time: 5, kind: "text", text: "x", name: "bob")]),
      #"""
      {"count":1,"event":"flagged","flag":"pin","found":[{"event":"message","kind":"text","name":"bob",\#
      "sender":"bob","text":"x","time":5}]}
      """#
    ),
    (
      EventRecord.cancelled(CancelledRecord(id: 1, messageID: "m", state: .tooLate)),
      #"{"event":"cancelled","id":1,"messageID":"m","state":"tooLate"}"#
    ),
    (
      EventRecord.receipt(ReceiptRecord(id: 1, messageID: "m", state: .read, readers: ["bob"])),
      #"{"event":"receipt","id":1,"messageID":"m","readers":["bob"],"state":"read"}"#
    ),
    (EventRecord.read, #"{"event":"read"}"#),
    (EventRecord.retried(count: 1), #"{"count":1,"event":"retried"}"#),
    (EventRecord.ended(count: 0), #"{"count":0,"event":"ended"}"#),
  ]

  @Test("Each event is one JSON object, and is decoded to an equal record", arguments: cases)
  func wire(record: EventRecord, json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(record), as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(EventRecord.self, from: Data(json.utf8)) == record)
  }

  @Test(
    "JSON that is not a valid event fails to decode",
    arguments: ["{}", #"{"event":"other"}"#, #"{"event":"list"}"#, #"{"event":"connection","state":"odd"}"#])
  func malformed(json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(EventRecord.self, from: Data(json.utf8)) }
  }
}
