import Foundation
import SkeinModel
import Testing

@testable import SkeinMatrix

@Suite("The news of a room")
struct RoomNewsTests {
  private func event(_ id: String, _ content: String, type: String = "m.room.message", _ more: String = "")
    -> String
  {
    #"{"event_id":"\#(id)","type":"\#(type)","sender":"@a:a","origin_server_ts":1,"content":\#(content)\#(more)}"#
  }

  private func text(_ id: String) -> String { event(id, #"{"msgtype":"m.text","body":"\#(id)"}"#) }

  private func reaction(_ id: String, to message: String) -> String {
    event(
      id, #"{"m.relates_to":{"rel_type":"m.annotation","event_id":"\#(message)","key":"+"}}"#,
      type: "m.reaction")
  }

  private func room(_ events: [String], isLimited: Bool = false) throws -> JoinedRoom {
    let json = #"""
      {"timeline":{"limited":\#(isLimited),"prev_batch":"p","events":[\#(events.joined(separator: ","))]}}
      """#
    return try JoinedRoom(MatrixAnswer(Array(json.utf8), to: "GET v3/sync"))
  }

  private static let ref = ConversationRef(rawValue: "!room:a")

  private func news(_ room: JoinedRoom) -> RoomNews {
    RoomNews(room, in: Self.ref, isFirst: false, RoomMemory())
  }

  private func ids(_ news: RoomNews) -> [String] { news.messages.compactMap(\.message.serverID?.rawValue) }

  @Test("Damaged events are left out, and repeated ones count once")
  func damage() throws {
    let events = [text("$1"), "7", "{}", #"{"event_id":5}"#, text("$2"), text("$1")]
    let news = news(try room(events))
    #expect(ids(news) == ["$1", "$2"])
    #expect(news.count == 2)
  }

  @Test("A limited timeline has no count, unless it begins with the room")
  func gap() throws {
    let create = event("$0", "{}", type: "m.room.create", #","state_key":"""#)
    let part = news(try room([text("$1")], isLimited: true))
    #expect(part.count == nil)
    #expect(!part.reachesStart)
    let whole = news(try room([create, text("$1")], isLimited: true))
    #expect(whole.count == 1)
    #expect(whole.reachesStart)
  }

  @Test("Reactions to new messages are part of them, and reactions to older ones are changes")
  func reactions() throws {
    let events = [text("$2"), reaction("$3", to: "$2"), reaction("$4", to: "$1")]
    let news = news(try room(events))
    #expect(news.messages.first?.message.reactions == [Reaction("+", users: ["@a:a"])])
    #expect(news.changed.keys.map(\.rawValue) == ["$1"])
  }

  @Test("The messages of a gap that have reactions are changed messages, at most the newest 20")
  func gapReactions() throws {
    let timeline = try room([text("$new"), reaction("$r", to: "$120")], isLimited: true)
    var news = news(timeline)
    let numbers = Array(1...120)
    let reactions = numbers.dropLast().map { reaction("$r\($0)", to: "$\($0)") }
    let gap = try room([text("$0")] + numbers.map { text("$\($0)") } + reactions)
    news.collect(omitted: gap.events)
    #expect(Set(news.changed.keys.map(\.rawValue)) == Set((101...120).map { "$\($0)" }))
  }

  @Test("A user joins with the membership, not with a changed profile or by leaving")
  func joining() throws {
    func isJoined(_ membership: String, before: String?) throws -> Bool {
      let unsigned = before.map { #","unsigned":{"prev_content":{"membership":"\#($0)"}}"# } ?? ""
      let member = event(
        "$1", #"{"membership":"\#(membership)"}"#, type: "m.room.member", #","state_key":"@a:a""# + unsigned)
      return try room([member]).isJoined(by: "@a:a")
    }
    #expect(try isJoined("join", before: "invite") && isJoined("join", before: nil))
    #expect(try !isJoined("join", before: "join") && !isJoined("leave", before: "join"))
  }

  @Test("An impossible age of a presence is no moment in the future")
  func ages() throws {
    for age in ["-5", "-9223372036854775808", "9223372036854775807", #""5""#] {
      let json = #"""
        {"next_batch":"s","presence":{"events":[
          {"sender":"@b:a","content":{"presence":"offline","last_active_ago":\#(age)}}]}}
        """#
      let answer = try SyncAnswer(MatrixAnswer(Array(json.utf8), to: "GET v3/sync"))
      let now = Timestamp(milliseconds: 1000)
      let presence = try #require(answer.presences(at: now).first?.presence)
      #expect(presence.lastSeen ?? now <= now)
    }
  }

  @Test("Tokens of pages keep their form")
  func tokens() {
    let other = ConversationRef(rawValue: "!other:a")
    for token in [PageToken.back(other, "t1 2"), .forward(other, "s"), .back(other, nil)] {
      #expect(PageToken(token.token, in: Self.ref) == token)
    }
    #expect(PageToken(HistoryToken(rawValue: "back t1 2"), in: Self.ref) == .back(Self.ref, "t1 2"))
    for text in ["", "back", "back ", "other 1", "back ! 1"] {
      #expect(PageToken(HistoryToken(rawValue: text), in: Self.ref) == nil)
    }
  }
}
