import Foundation
import Skein
import Testing

@testable import SkeinWeb

@Suite("Requests of the web page are decoded")
struct PageRequestTests {
  private let chat = ConversationID(rawValue: 7)
  private let message = LocalMessageID(rawValue: 3)

  private func decode(_ json: String) throws -> PageRequest {
    try JSONDecoder().decode(PageRequest.self, from: Data(json.utf8))
  }

  @Test(
    "Requests to open or begin a chat, search, list flagged messages, keep a draft or forward are decoded")
  func aroundChats() throws {
    #expect(try decode(#"{"do":"open","chat":7}"#) == .open(chat, at: nil))
    #expect(try decode(#"{"do":"open","chat":7,"message":3}"#) == .open(chat, at: .message(message)))
    #expect(
      try decode(#"{"do":"open","chat":7,"server":"s"}"#)
        == .open(chat, at: .remote(.init(rawValue: "s"))))
    #expect(try decode(#"{"do":"flagged","chat":7,"key":"pin"}"#) == .list(.pin))
    #expect(try decode(#"{"do":"accept","chat":7}"#) == .answerInvitation(chat, accepts: true))
    #expect(try decode(#"{"do":"decline","chat":7}"#) == .answerInvitation(chat, accepts: false))
    #expect(try decode(#"{"do":"new","text":"bob"}"#) == .begin("bob"))
    #expect(try decode(#"{"do":"search","text":"soup"}"#) == .search("soup"))
    #expect(try decode(#"{"do":"draft","chat":7,"text":""}"#) == .keepDraft("", in: chat))
    #expect(try decode(#"{"do":"forwardTo","chat":7,"message":3}"#) == .forward(message, to: chat))
  }

  @Test("Requests about the settings of a chat that need not be open are decoded")
  func settings() throws {
    #expect(try decode(#"{"do":"settings","chat":7}"#) == .chooseSetting(chat))
    #expect(try decode(#"{"do":"set","chat":7,"key":"muted"}"#) == .set(.muted, to: true, for: chat))
    #expect(try decode(#"{"do":"unset","chat":7,"key":"pinned"}"#) == .set(.pinned, to: false, for: chat))
    #expect(
      try decode(#"{"do":"set","chat":7,"key":"markedUnread"}"#) == .set(.markedUnread, to: true, for: chat))
    #expect(try decode(#"{"do":"markRead","chat":7}"#) == .markRead(chat))
  }

  @Test(
    "A sent text is decoded as a new message, a reply or an edit",
    arguments: [
      (#"{"do":"send","chat":7,"text":"x"}"#, SendRequest.Mode.new),
      (#"{"do":"send","chat":7,"text":"x","action":"reply","message":3}"#, .reply(to: .init(rawValue: 3))),
      (#"{"do":"send","chat":7,"text":"x","action":"edit","message":3}"#, .edit(.init(rawValue: 3))),
      (#"{"do":"send","chat":7,"text":"x","action":"edit"}"#, .new),
    ])
  func sending(json: String, mode: SendRequest.Mode) throws {
    #expect(try decode(json) == .send(SendRequest(text: "x", conversation: chat, mode: mode)))
  }

  @Test("Requests about the open chat are decoded")
  func openChat() throws {
    #expect(try decode(#"{"do":"older","chat":7}"#) == .chat(chat, .fetch(.older)))
    #expect(try decode(#"{"do":"newer","chat":7}"#) == .chat(chat, .fetch(.newer)))
    #expect(try decode(#"{"do":"newest","chat":7}"#) == .chat(chat, .goToNewest))
    #expect(try decode(#"{"do":"fill","chat":7,"index":2}"#) == .chat(chat, .fill(index: 2)))
    #expect(try decode(#"{"do":"read","chat":7}"#) == .chat(chat, .markRead))
    #expect(try decode(#"{"do":"typing","chat":7}"#) == .chat(chat, .noteTyping))
  }

  @Test("An action of a card is decoded with its message, component, action and value")
  func card() throws {
    func action(_ component: String, _ action: String) throws -> PageRequest {
      try decode(
        #"{"do":"card","chat":7,"message":3,"component":"\#(component)","action":"\#(action)","value":"Soup"}"#
      )
    }
    guard case .chat(chat, .card(let card)) = try action("poll", "vote") else {
      Issue.record("not an action of a card")
      return
    }
    #expect(card.message == message && card.value == "Soup")
    #expect(try action("poll", "vote") != action("quiz", "vote"))
    #expect(try action("poll", "vote") != action("poll", "close"))
  }

  @Test("A jump leads to a stored message if one is given, else to a message on the server, else to a time")
  func jumps() throws {
    let time = Timestamp(milliseconds: 5)
    #expect(
      try decode(#"{"do":"jump","chat":7,"message":3,"server":"s"}"#)
        == .chat(chat, .jump(to: .message(message))))
    #expect(
      try decode(#"{"do":"jump","chat":7,"server":"s","time":5}"#)
        == .chat(chat, .jump(to: .remote(.init(rawValue: "s")))))
    #expect(try decode(#"{"do":"jump","chat":7,"time":5}"#) == .chat(chat, .jump(to: .moment(time))))
  }

  @Test(
    "Requests about one message are decoded",
    arguments: [
      ("reply", MessageRequest.startReply), ("edit", .startEdit), ("recall", .recall),
      ("flag", .setFlag(.init(rawValue: "👍"), to: true)),
      ("unflag", .setFlag(.init(rawValue: "👍"), to: false)),
      ("retry", .retry), ("cancel", .cancel), ("delete", .delete),
      ("forward", .chooseForward), ("react", .react("👍")), ("unreact", .unreact("👍")),
    ])
  func messages(name: String, request: MessageRequest) throws {
    #expect(
      try decode(#"{"do":"\#(name)","chat":7,"message":3,"key":"👍","index":0}"#)
        == .chat(chat, .message(message, request)))
  }

  @Test(
    "A malformed request is refused",
    arguments: [
      "", "[]", "{}", #"{"do":1}"#, #"{"do":"unknown","chat":7,"message":3}"#, #"{"do":"open"}"#,
      #"{"do":"open","chat":"7"}"#, #"{"do":"open","chat":7.5}"#, #"{"do":"read"}"#,
      #"{"do":"draft","chat":7}"#,
      #"{"do":"send","chat":7}"#, #"{"do":"fill","chat":7}"#, #"{"do":"fill","chat":7,"index":1e30}"#,
      #"{"do":"jump","chat":7}"#, #"{"do":"card","chat":7,"message":3,"action":"vote"}"#,
      #"{"do":"react","chat":7,"message":3}"#, #"{"do":"flag","chat":7,"message":3}"#, #"{"do":"flagged"}"#,
      #"{"do":"forwardTo","chat":7}"#, #"{"do":"set","chat":7}"#, #"{"do":"set","chat":7,"key":"loud"}"#,
      #"{"do":"unset","key":"muted"}"#, #"{"do":"settings"}"#, #"{"do":"markRead"}"#,
    ])
  func malformed(json: String) {
    #expect(throws: DecodingError.self) { try decode(json) }
  }
}
