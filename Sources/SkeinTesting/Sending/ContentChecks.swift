#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel

extension BackendCheck {
  static let content: [BackendCheck] = [
    BackendCheck(
      .sending, "Content is returned byte for byte, including long texts and special characters",
      strangeContent),
    BackendCheck(
      .sending, "Content that the server can't store unchanged is refused permanently", unstorableContent),
    BackendCheck(
      .sending, "A message of a kind that the server does not know is stored unchanged", unknownKind),
    BackendCheck(
      .sending, "Parameters are returned with their message, if the server stores them", parameters),
  ]

  private static func strangeContent(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let largest = alice.backend.capabilities.largestContent ?? .max
    let frame = try KindRegistry.encode(TextContent("")).count
    let texts = [
      String(repeating: "0", count: min(65_536, largest - frame)), "", " ", "👩‍👩‍👧‍👦 🇩🇪 e\u{301} é 吃火锅 שלום\u{202E}",
      "\"\\/\u{8}\u{C}\n\r\t", "</script><!-- ]]> & &amp; %00 %s '; DROP TABLE message; --",
      "\u{2028}\u{2029}\u{FEFF}\u{FFFD}\u{7F}",
    ]
    var sent: [OutgoingMessage] = []
    for text in texts {
      let message = try alice.message(in: chat, TextContent(text))
      try await alice.send(message)
      sent.append(message)
    }
    let synced = try await bob.catchUp().messages(in: chat)
    let paged = try await bob.history(of: chat)
    for (number, message) in sent.enumerated() {
      try expect(
        synced.contains { $0.payload == message.payload } && paged.contains { $0.payload == message.payload },
        "Text \(number) was not returned as it was sent: \(texts[number].prefix(60)).")
    }
  }

  private static func unstorableContent(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let payloads = [
      Data(#"{"b":1, "a":1.50,"a":2}"#.utf8), Data(#"{"text":"\u0000"}"#.utf8), Data(" [ ]\n".utf8),
      Data(#"{"n":1e400}"#.utf8), Data(), Data([0]), Data([0xFF, 0xFE, 0x22]), Data("no JSON at all".utf8),
    ]
    var taken: [Data] = []
    for payload in payloads {
      let message = OutgoingMessage(
        id: MessageID(rawValue: stage.word("id")), conversation: chat, kind: TextContent.kind,
        payload: payload)
      do {
        try await alice.send(message)
        taken.append(payload)
      } catch let error as BackendError {
        try expect(error.code, is: .permanent, "The code with which \(Array(payload)) was refused")
      }
    }
    let found = try await bob.history(of: chat).map(\.payload)
    try expect(Set(found), is: Set(taken), "The contents of the accepted messages in the history")
    try expect(found.count, is: taken.count, "The number of messages")
  }

  private static func unknownKind(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let kind = MessageKind(rawValue: "com.example.\(stage.word("kind"))")
    let message = try alice.message(in: chat, ["votes": [1, 2, 3]], kind: kind)
    try await alice.send(message)
    let synced = try await bob.catchUp().messages(in: chat).only(message, where: "a sync")
    let paged = try await bob.history(of: chat).only(message, where: "the history")
    try expect([synced.kind, paged.kind], is: [kind, kind], "The kind")
  }

  private static func parameters(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let parameters = ["source": "share", "ünïcode ключ": "\"quoted\"\n", "empty": ""]
    let message = try alice.message(in: chat, TextContent(stage.word("text")), parameters: parameters)
    try await alice.send(message)
    let synced = try await bob.catchUp().messages(in: chat).only(message, where: "a sync").parameters
    let paged = try await bob.history(of: chat).only(message, where: "the history").parameters
    if synced == nil, paged == nil {
      throw CheckEnd.skipped("The server stores no parameters: they are returned as nil.")
    }
    try expect(synced, is: parameters, "The parameters in a sync")
    try expect(paged, is: parameters, "The parameters in the history")
  }
}
