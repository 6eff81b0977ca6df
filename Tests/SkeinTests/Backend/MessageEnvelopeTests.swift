import Foundation
import Skein
import Testing

@Suite("Message envelopes")
struct MessageEnvelopeTests {
  private static let envelope = MessageEnvelope(
    id: MessageID(rawValue: "m1"), kind: "com.example.poll", payload: Data(#"{"question":"Lunch?"}"#.utf8),
    parameters: ["client": "example/1.0", "a": "\u{0} / \u{2028}"])

  @Test(
    "A message is decoded as it was encoded",
    arguments: [
      envelope, MessageEnvelope(kind: "text", payload: Data()),
      MessageEnvelope(kind: "👍", payload: Data("e\u{301} é 𝄞 \u{FEFF}\u{0}\u{7F}".utf8)),
      MessageEnvelope(kind: "bytes", payload: Data([0xFF, 0x00, 0xC3])),
    ])
  func roundTrip(_ envelope: MessageEnvelope) throws {
    #expect(MessageEnvelope(text: try envelope.text) == envelope)
  }

  @Test("The text of an envelope does not change between versions of Skein")
  func format() throws {
    let text =
      #"{"content":"{\"question\":\"Lunch?\"}","id":"m1","kind":"com.example.poll","parameters":{"a":"b"},"skein":1}"#
    var envelope = Self.envelope
    envelope.parameters = ["a": "b"]
    #expect(try envelope.text == text)
    #expect(MessageEnvelope(text: text) == envelope)
    let bytes = MessageEnvelope(kind: "b", payload: Data([0xFF, 0xFE]))
    #expect(try bytes.text == #"{"bytes":"//4=","kind":"b","skein":1}"#)
  }

  @Test("An envelope is made from an outgoing message")
  func outgoing() {
    let message = OutgoingMessage(
      id: MessageID(rawValue: "m1"), conversation: ConversationRef(rawValue: "c"), kind: Self.envelope.kind,
      payload: Self.envelope.payload, parameters: Self.envelope.parameters)
    #expect(MessageEnvelope(message) == Self.envelope)
  }

  @Test(
    "A text without an envelope is a plain text message",
    arguments: [
      "", "Hello", "{}", #"{"skein":2,"kind":"text","content":"{}"}"#, #"{"skein":1,"kind":"text"}"#,
      #"{"kind":"text","content":"{}"}"#, "[1]", #"{"skein":1,"#,
    ])
  func foreign(_ text: String) {
    let envelope = MessageEnvelope(text: text)
    #expect(envelope.id == nil && envelope.kind == "text" && envelope.parameters.isEmpty)
    let content = KindRegistry.standard.decode(envelope.kind, envelope.payload).as(TextContent.self)
    #expect(content == TextContent(text))
  }
}
