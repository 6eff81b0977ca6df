/// A circle with the first letter or digit of a name, in a colour derived from the name.
enum Avatar {
  static func html(of name: String) -> HTML {
    let colour = name.unicodeScalars.reduce(0) { ($0 &* 31 &+ Int($1.value)) & 0xFFFF } % 8
    return HTML(.span, [.class("avatar", "colour\(colour)"), .aria("hidden", "true")]) {
      let initial = name.first { $0.isLetter || $0.isNumber } ?? name.first
      HTML(initial.map { String($0).uppercased() } ?? "?")
    }
  }
}
