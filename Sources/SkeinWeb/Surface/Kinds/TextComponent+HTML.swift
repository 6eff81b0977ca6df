import Foundation
import Skein
public import SkeinCards

extension TextComponent: HTMLComponent {
  /// The text with its line breaks, links and mentions.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.p, [.class("text"), .ownDirection]) {
      for run in runs {
        if run.isMention {
          HTML(.strong, [.class("mention")]) { HTML(run.text) }
        } else if let link = run.link {
          HTML(.a, [.link(link)]) { HTML(run.text) }
        } else {
          HTML(run.text)
        }
      }
    }
  }
}

extension CardText: HTMLComponent {
  /// The text with its line breaks.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.p, [.class("text"), .ownDirection]) { HTML(text) }
  }
}

extension CardStack: HTMLComponent {
  /// The stacked components, below each other or side by side.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.div, [.class(axis == .vertical ? "column" : "row")]) {
      for component in components { surface.html(of: component) }
    }
  }
}

extension LinkPreviewComponent: HTMLComponent {
  /// The linked page's site, title and summary; a preview has no picture.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.a, [.class("preview"), .link(preview.url)]) {
      HTML(.span, [.class("site")]) { HTML(preview.site ?? preview.url.host() ?? "") }
      HTML(.strong, [.ownDirection]) { HTML(preview.title) }
      if let summary = preview.summary { HTML(.span, [.ownDirection]) { HTML(summary) } }
    }
  }
}

extension QuoteComponent: HTMLComponent {
  /// The sender and the text of the quoted message; a click shows that message.
  public func html(on surface: HTMLSurface) -> HTML {
    let place: HTML.Attribute? =
      quote.id.map { .data("message", String($0.rawValue)) }
      ?? quote.message.serverID.map { .data("server", $0.rawValue) }
    return HTML(
      .button,
      [.plainButton, .class("quote"), .data("do", "jump"), .disabled(place == nil)]
        + (place.map { [$0] } ?? [])
    ) {
      HTML(.strong, [.ownDirection]) { HTML(quote.sender.rawValue) }
      HTML(.span, [.ownDirection]) {
        HTML(quote.isRecalled ? "recalled" : quote.content?.displayedText ?? "a message that is not loaded")
      }
    }
  }
}
