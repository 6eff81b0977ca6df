public import SkeinCards

extension MediaComponent: HTMLComponent {
  /// The picture, or the film with the browser's buttons; its place is kept free from the start.
  public func html(on surface: HTMLSurface) -> HTML {
    let place: [HTML.Attribute] =
      size.map { [.size(width: $0.width, height: $0.height)] } ?? [.class("unsized")]
    let source = HTML.Attribute.source(surface.path(of: file))
    return HTML(.figure, [.class("media", form == .sticker ? "sticker" : "")]) {
      if form == .video {
        HTML(
          .video,
          place + [source, .controls, .noPreload, .aria("label", displayedText)]
            + (poster.map { [.poster(surface.path(of: $0))] } ?? []))
      } else {
        HTML(
          .button, [.plainButton, .class("picture"), .data("do", "view"), .aria("label", "Show the picture")]
        ) {
          HTML(.img, place + [source, .lazy, .alternative(displayedText)])
        }
      }
    }
  }
}

extension FileComponent: HTMLComponent {
  /// The file's name and size; it can be saved.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.a, [.class("file"), .save(surface.path(of: file), as: name)]) {
      HTML(.span, [.class("icon"), .aria("hidden", "true")]) { HTML("📄") }
      HTML(.span, [.class("name"), .ownDirection]) { HTML(name) }
      if let size { HTML(.span, [.class("size")]) { HTML(ByteCount.text(size)) } }
    }
  }
}

extension AudioComponent: HTMLComponent {
  /// A button, how long it is and, while it plays, the browser's player.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.div, [.class("audio", isPlaying ? "playing" : "")]) {
      if let action = actions.first {
        surface.button(action, of: id) { HTML(isPlaying ? "■" : "▶") }
      }
      HTML(.span, [.class("length")]) { HTML(duration.map(Self.length) ?? "Recording") }
      if isUnplayed { HTML(.span, [.class("unplayed"), .role("img"), .aria("label", "Not played yet")]) }
      if isPlaying {
        HTML(
          .audio,
          [
            .source(surface.path(of: file)), .data("plays", "true"), .data("component", id.rawValue),
            .data("ended", AudioPlugin.ended.rawValue),
          ])
      }
    }
  }

  private static func length(_ seconds: Double) -> String {
    // What a message says may be any number.
    let whole = seconds.isFinite ? Int(min(max(seconds, 0), 359_999)) : 0
    let rest = String(100 + whole % 60).dropFirst()
    return "\(whole / 60):\(rest)"
  }
}

enum ByteCount {
  /// `3.2 MB`, in thousands, as people are told elsewhere.
  static func text(_ bytes: Int64) -> String {
    var (number, unit) = (Double(max(bytes, 0)), 0)
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    while number >= 1000, unit < units.count - 1 { (number, unit) = (number / 1000, unit + 1) }
    let tenths = (number * 10).rounded() / 10
    let isWhole = unit == 0 || tenths == tenths.rounded()
    return "\(isWhole ? String(Int64(tenths)) : String(tenths)) \(units[unit])"
  }
}
