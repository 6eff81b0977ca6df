public import SkeinCards

extension MediaComponent: HTMLComponent {
  /// The picture, or the video with the browser's controls. If the size is known, the space is reserved before the
  /// file is loaded.
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
  /// The file's name and size; a click saves the file.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.a, [.class("file"), .save(surface.path(of: file), as: name)]) {
      HTML(.span, [.class("icon"), .aria("hidden", "true")]) { HTML("📄") }
      HTML(.span, [.class("name"), .ownDirection]) { HTML(name) }
      if let sizeText { HTML(.span, [.class("size")]) { HTML(sizeText) } }
    }
  }
}

extension AudioComponent: HTMLComponent {
  /// A button, the length, and a mark for an unplayed recording of another user. During playback, there is
  /// also an audio element without controls.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.div, [.class("audio", isPlaying ? "playing" : "")]) {
      if let action = actions.first {
        surface.button(action, of: id) { HTML(isPlaying ? "■" : "▶") }
      }
      HTML(.span, [.class("length")]) { HTML(lengthText ?? "Recording") }
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
}
