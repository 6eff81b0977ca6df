import Foundation
import Testing

@testable import SkeinCommand

@Suite("The demo counts unread messages")
struct DemoBacklogTests {
  private func message(_ position: Int, by sender: String, hour: Int64) -> DemoWitness.Message {
    DemoWitness.Message(
      id: "m\(position)", position: position, sender: sender, time: hour * 3_600_000, kind: "text",
      content: #"{"text":"text"}"#)
  }

  private func choir(readUpTo position: Int) -> DemoWitness.Conversation {
    DemoWitness.Conversation(id: "7", peer: nil, title: "Choir", readPosition: position)
  }

  @Test("30 chats of different lengths have 5,000 messages, equally many on each day")
  func chats() {
    let chats = DemoCrowd.chats
    #expect(chats.count == 30)
    #expect(Set(chats.map(\.name)).count == 30)
    #expect(Set(chats.map(\.count)).count == 30)
    #expect(chats.map(\.count).reduce(0, +) == 5_000)
    #expect(chats.first?.count == chats.map(\.count).max())
    #expect(chats.allSatisfy { $0.count % DemoCrowd.daysAgo.count == 0 })
    #expect(chats.filter { !$0.isGroup }.map(\.name) == DemoCrowd.people)
  }

  @Test(
    "Only others' messages after the read mark count as unread, and a missing or unexpected chat is reported")
  func unread() {
    let history = [message(1, by: "bob", hour: 1), message(2, by: "carol", hour: 2)]
    let backlog = DemoBacklog(
      of: "bob", ["Choir": history + [message(3, by: "dave", hour: 3), message(4, by: "bob", hour: 4)]])
    #expect(backlog.difference(toUnread: ["Choir": 2], by: [choir(readUpTo: 0)]) == nil)
    #expect(backlog.difference(toUnread: ["Choir": 1], by: [choir(readUpTo: 2)]) == nil)
    #expect(backlog.difference(toUnread: ["Choir": 0], by: [choir(readUpTo: 4)]) == nil)
    #expect(
      backlog.difference(toUnread: ["Choir": 3], by: [choir(readUpTo: 0)]) == "Choir has 2 unread, not 3")
    #expect(backlog.difference(toUnread: ["Chess": 2], by: [choir(readUpTo: 0)]) != nil)
    #expect(backlog.difference(toUnread: ["Choir": 2], by: []) != nil)
  }

  @Test("A chat that is missing, or has another number of messages than expected, can't be compared")
  func lengths() throws {
    let backlog = DemoBacklog(
      of: "bob", ["Choir": [message(1, by: "bob", hour: 1), message(2, by: "carol", hour: 2)]])
    #expect(
      try backlog.comparison(with: DemoChat(name: "Choir", isGroup: true, count: 1)).history.count == 2)
    #expect(throws: DemoFailure.self) {
      try backlog.comparison(with: DemoChat(name: "Choir", isGroup: true, count: 2))
    }
    #expect(throws: DemoFailure.self) {
      try backlog.comparison(with: DemoChat(name: "Chess", isGroup: true, count: 1))
    }
  }

  @Test(
    "The middle day of a history is the date of its middle message in the given time zone")
  func day() throws {
    let history = [2, 20, 23, 26, 47, 50].enumerated().map { message($0 + 1, by: "carol", hour: $1) }
    let utc = try #require(TimeZone(secondsFromGMT: 0))
    let day = try #require(DemoDay(inTheMiddleOf: history, timeZone: utc))
    #expect(day.text == "1970-01-02")
    #expect(day.first == 3)
    let east = try #require(TimeZone(secondsFromGMT: 2 * 3600))
    #expect(try #require(DemoDay(inTheMiddleOf: history, timeZone: east)).first == 2)
    #expect(DemoDay(inTheMiddleOf: [], timeZone: utc) == nil)
  }

  @Test(
    "Large numbers have a comma before each group of three digits",
    arguments: [
      (0, "0"), (999, "999"), (1_000, "1,000"), (5_000, "5,000"), (1_020_304, "1,020,304"),
    ])
  func numbers(number: Int, text: String) {
    #expect(DemoStage.grouped(number) == text)
  }
}
