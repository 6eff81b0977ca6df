import Skein
import SkeinCards
import SkeinTerminal
import Testing

@Suite("Cards on a terminal")
struct TerminalCardTests {
  private struct Plain: CardComponent {
    let id: ComponentID = "plain"
    let displayedText: String
    var actions: [CardAction] {
      [CardAction("yes", title: "Say yes"), CardAction("late", title: "Too late", isEnabled: false)]
    }
  }

  private func lines(_ components: any CardComponent...) -> [String] {
    CardStack("all", .vertical, components).terminalLines.map(\.text)
  }

  @Test("A component is written as its own lines, or as its text if it has no lines")
  func kinds() throws {
    let file = MessageAttachment.remote(RemoteMedia(id: "m", size: 3_200_000, type: "x/y"))
    #expect(lines(TextComponent(TextContent("one\ntwo"))) == ["one", "two"])
    #expect(lines(FileComponent(FileContent(file, name: "a.txt"))) == ["a.txt  3.2 MB"])
    #expect(lines(MediaComponent(ImageContent(file, width: 640, height: 480))) == ["[image]  640 × 480"])
    #expect(lines(Plain(displayedText: "hello")) == ["hello"])
    #expect(lines(ContactComponent(ContactContent("carol", name: "Carol C."))) == ["Carol C.  (carol)"])
    let row = CardStack("row", .horizontal, [CardText("a", id: "1"), CardText("b", id: "2")])
    #expect(row.terminalLines.map(\.text) == ["a  b"])
  }

  @Test("No card can move the cursor, set a colour or write another line")
  func harmless() {
    let evil = "a\u{1B}[2Jb\rc\u{202E}"
    let media = MessageAttachment.remote(RemoteMedia(id: "m", size: 3, type: "x/y"))
    let all = lines(
      CardText(evil), NoticeComponent(evil), FileComponent(FileContent(media, name: evil)),
      ContactComponent(ContactContent("carol", name: evil)), Plain(displayedText: evil),
      TopicComponent(TopicContent(.init(rawValue: "t"), title: evil, summary: evil)),
      HistoryComponent(MergedForwardContent(title: evil, messages: [])))
    for line in all {
      #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "\(line)")
      #expect(!line.unicodeScalars.contains("\u{202E}"))
    }
  }
}
