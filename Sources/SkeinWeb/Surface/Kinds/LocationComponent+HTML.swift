import Foundation
public import SkeinCards

extension LocationComponent: HTMLComponent {
  /// The place's name and coordinates. A click opens a map on another site.
  public func html(on surface: HTMLSurface) -> HTML {
    let place = "\(latitude), \(longitude)"
    let map = URL(
      string:
        "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=15/\(latitude)/\(longitude)")
    return HTML(.a, [.class("file")] + (map.map { [.link($0)] } ?? [])) {
      HTML(.span, [.class("icon"), .aria("hidden", "true")]) { HTML("📍") }
      HTML(.span, [.class("name"), .ownDirection]) { HTML(displayedText) }
      HTML(.span, [.class("size")]) { HTML(place) }
    }
  }
}

extension HistoryComponent: HTMLComponent {
  /// The title, the first messages in one line each, and the number of messages.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.div, [.class("history")]) {
      HTML(.strong, [.ownDirection]) { HTML(title) }
      for line in lines { HTML(.span, [.class("line"), .ownDirection]) { HTML(line.text) } }
      HTML(.span, [.class("size")]) { HTML(count == 1 ? "1 message" : "\(count) messages") }
    }
  }
}
