/// A circle with the first letter of a name, in a colour derived from the name.
enum Avatar {
  static func html(of name: String) -> HTML {
    let colour = name.unicodeScalars.reduce(0) { ($0 &* 31 &+ Int($1.value)) & 0xFFFF } % 8
    return HTML(.span, [.class("avatar", "colour\(colour)"), .aria("hidden", "true")]) {
      HTML(name.first.map { String($0).uppercased() } ?? "?")
    }
  }
}
