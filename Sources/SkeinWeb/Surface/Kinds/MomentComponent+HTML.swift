import Skein
public import SkeinCards

extension MomentComponent: HTMLComponent {
  /// The author, the text, the picture, and a like button with the number of likes. There is no button
  /// above a comment.
  public func html(on surface: HTMLSurface) -> HTML {
    HTML(.div, [.class("history")]) {
      HTML(.strong, [.ownDirection]) { HTML(moment.author.rawValue) }
      HTML(.span, [.class("text"), .ownDirection]) { HTML(moment.text) }
      if let picture = moment.picture {
        HTML(.figure, [.class("media")]) {
          HTML(
            .img,
            [
              .class("unsized"), .source(surface.path(of: picture)), .lazy,
              .alternative("A picture of the moment"),
            ])
        }
      }
      if let likes, let action = actions.first {
        surface.button(action, of: id) { HTML("\(likes.isOwn ? "♥" : "♡") \(likes.count)") }
      }
    }
  }
}
