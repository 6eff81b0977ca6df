import Foundation
import Skein
import Testing

@testable import SkeinWeb

@Suite("Steps that change the web page are encoded")
struct PagePatchTests {
  @Test(
    "Each step is encoded as one flat JSON object",
    arguments: [
      (PagePatch.fill(.notice, HTML("a")), #"{"fill":"notice","html":"a"}"#),
      (.clear(.messages), #"{"clear":true,"list":"messages"}"#),
      (.remove(2, from: .conversations), #"{"list":"conversations","remove":2}"#),
      (.insert(HTML("a"), at: 0, in: .messages), #"{"html":"a","insert":0,"list":"messages"}"#),
      (.replace(1, HTML("a"), in: .messages), #"{"html":"a","list":"messages","replace":1}"#),
      (.opened(ConversationID(rawValue: 7), draft: "d"), #"{"chat":7,"text":"d"}"#),
      (.reach(older: true, newer: false), #"{"reach":[true,false]}"#),
      (.reveal(LocalMessageID(rawValue: 3)), #"{"reveal":3}"#),
      (
        .compose(.reply(to: LocalMessageID(rawValue: 3), quote: "q")),
        #"{"compose":"reply","message":3,"text":"q"}"#
      ),
      (
        .compose(.edit(LocalMessageID(rawValue: 3), text: "t")),
        #"{"compose":"edit","message":3,"text":"t"}"#
      ),
      (.compose(.restore(text: "t")), #"{"compose":"restore","text":"t"}"#),
      (.unread(0), #"{"unread":0}"#), (.sent, #"{"sent":true}"#), (.fetched(.older), #"{"done":"older"}"#),
      (.fetchFailed(.newer), #"{"failed":"newer"}"#),
    ])
  func wire(patch: PagePatch, json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(patch), as: UTF8.self) == json)
  }

  @Test("A list's change removes from the end, inserts from the start, then updates")
  func steps() {
    var change = ListChange()
    (change.deletions, change.insertions, change.updates) = ([0, 3], [1, 2], [4])
    change.moves = [.init(from: 1, to: 0)]
    func html(_ index: Int) -> HTML { HTML("\(index)") }
    #expect(
      PagePatch.steps(of: change, in: .messages, html) == [
        .remove(3, from: .messages), .remove(1, from: .messages), .remove(0, from: .messages),
        .insert(html(0), at: 0, in: .messages), .insert(html(1), at: 1, in: .messages),
        .insert(html(2), at: 2, in: .messages), .replace(4, html(4), in: .messages),
      ])
  }
}
