import Skein
import SkeinCards
import Testing

@testable import SkeinWeb

@Suite("Cards that a web page can't draw")
struct FallbackTests {
  private struct Plain: CardComponent {
    let id: ComponentID
    var displayedText: String { "Text of \(id.rawValue)" }
    var actions: [CardAction] { [CardAction("open", title: "Open \(id.rawValue)")] }
    var components: [any CardComponent] = []
  }

  @Test("A component is drawn as its text, with the actions of the component and of the components in it")
  func actions() async throws {
    try await CardStage.run { stage in
      let message = try await stage.receive(TextContent("hello"))
      let surface = HTMLSurface(ServedFiles(), drawing: message)
      let inner = CardStack("stack", .vertical, [Plain(id: "b"), Plain(id: "c")])
      let markup = surface.html(of: Plain(id: "a", components: [inner])).markup
      let buttons = markup.split(separator: "<button").dropFirst().map(String.init)
      #expect(buttons.count == 3)
      for (button, id) in zip(buttons, ["a", "b", "c"]) {
        #expect(button.contains(#"data-component="\#(id)""#) && button.contains(">Open \(id)<"))
      }
      #expect(markup.contains("Text of a") && !markup.contains("Text of b"))
    }
  }
}
