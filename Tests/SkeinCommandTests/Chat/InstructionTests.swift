import Foundation
import Skein
import SkeinCards
import Testing

@testable import SkeinCommand

@Suite("A typed line is a text or a command")
struct InstructionTests {
  @Test("Texts and commands are parsed")
  func lines() throws {
    #expect(try Instruction("Hello  there ") == .send("Hello  there "))
    #expect(try Instruction("//etc is a folder") == .send("/etc is a folder"))
    #expect(try Instruction("   ") == .nothing)
    #expect(try Instruction("/open bob ") == .open("bob"))
    #expect(try Instruction("/open \"Book club\"") == .open("Book club"))
    #expect(
      try Instruction("/group \"Book club\" bob  carol")
        == .group(title: "Book club", members: ["bob", "carol"]))
    #expect(
      try Instruction("/location 52.5 -13.25 East Side")
        == .location(latitude: 52.5, longitude: -13.25, name: "East Side"))
    #expect(try Instruction("/location 1 2") == .location(latitude: 1, longitude: 2, name: nil))
    #expect(try Instruction("/retry") == .retry(nil))
    #expect(try Instruction("/retry 2") == .retry(2))
    #expect(try Instruction("/save \"a b.png\"") == .save(path: "a b.png"))
    #expect(try Instruction("/send \"a b.mp4\"") == .file(path: "a b.mp4"))
    #expect(try Instruction("/waiting") == .waiting)
    #expect(try Instruction("/cancel") == .cancel(nil))
    #expect(try Instruction("/cancel 3") == .cancel(3))
    #expect(try Instruction("/do") == .offers)
    #expect(
      try Instruction("/poll \"Tea or coffee?\" Tea Coffee")
        == .poll(question: "Tea or coffee?", answers: ["Tea", "Coffee"]))
    #expect(try Instruction("/do 2") == .perform(2, nil))
    #expect(try Instruction("/do 2 two words") == .perform(2, "two words"))
    #expect(try Instruction("/edit  no,  really ") == .edit("no,  really"))
    #expect(try Instruction("/recall") == .recall(nil))
    #expect(try Instruction("/recall 2") == .recall(2))
    #expect(try Instruction("/react 👍") == .react("👍", nil, isSet: true))
    #expect(try Instruction("/unreact 👍 3") == .react("👍", 3, isSet: false))
    #expect(try Instruction("/pin") == .setFlag(.pin, nil, to: true))
    #expect(try Instruction("/unpin 3") == .setFlag(.pin, 3, to: false))
    #expect(try Instruction("/pinned") == .listFlagged(.pin))
    #expect(try Instruction("/star 2") == .setFlag(.star, 2, to: true))
    #expect(try Instruction("/unstar") == .setFlag(.star, nil, to: false))
    #expect(try Instruction("/starred") == .listFlagged(.star))
    #expect(try Instruction("/reply 2  no,  really ") == .reply(2, "no,  really"))
    #expect(try Instruction(#"/reply 1 a 5" pipe"#) == .reply(1, #"a 5" pipe"#))
    #expect(try Instruction("/search 火锅 tonight") == .search("火锅 tonight"))
    #expect(try Instruction("/newer") == .newer)
    #expect(try Instruction("/jump") == .jump(nil))
    #expect(
      try Instruction("/jump 2026-11-21")
        == .jump(DateComponents(year: 2026, month: 11, day: 21, hour: 0, minute: 0)))
    #expect(
      try Instruction("/jump 2026-11-21 09:30")
        == .jump(DateComponents(year: 2026, month: 11, day: 21, hour: 9, minute: 30)))
    #expect(try Instruction("/read") == .read(nil))
    #expect(try Instruction("/read bob") == .read("bob"))
    #expect(try Instruction("/unread") == .set(.markedUnread, of: nil, to: true))
    #expect(try Instruction("/mute") == .set(.muted, of: nil, to: true))
    #expect(try Instruction("/unmute \"Book club\"") == .set(.muted, of: "Book club", to: false))
    #expect(try Instruction("/pin-chat bob") == .set(.pinned, of: "bob", to: true))
    #expect(try Instruction("/unpin-chat") == .set(.pinned, of: nil, to: false))
    #expect(try Instruction("/quit") == .quit)
  }

  @Test(
    "Invalid commands are refused",
    arguments: [
      "/", "/foo", "/open", "/open a b", "/open \"a", "/group Title", "/location 91 0", "/location 0 181",
      "/location nan 0", "/location x y", "/retry 0", "/retry x", "/image", "/save",
      "/send", "/edit", "/edit ", "/recall 0", "/react", "/react 👍 x", "/unreact", "/react 👍 1 2", "/pin 0",
      "/unpin x",
      "/reply", "/reply 1", "/reply yes", "/reply 0 yes", "/search",
      "/do 0", "/do it", "/poll Tea? Yes", "/cancel 0", "/cancel x", "/jump x", "/jump 2026-13-01",
      "/jump 2026-02-31",
      "/jump 2026-11-21 9", "/jump 1 2 3",
      "/jump 2026-11-21 24:00", "/jump --", "/mute a b", "/unmute a b", "/pin-chat a b", "/unread a b",
      "/read a b", "/mute \"a",
    ])
  func refusals(line: String) {
    #expect(throws: UsageError.self) { try Instruction(line) }
  }

  @Test("A control character in a mistyped command is made visible")
  func control() {
    let error = #expect(throws: UsageError.self) { try Instruction("/\u{1B}[2J") }
    #expect(error?.description.contains("\u{1B}") == false)
  }
}
