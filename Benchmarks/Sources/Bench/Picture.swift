import Foundation

/// Draws how figures grow, as a picture in SVG with a panel for each family of figures. A family has at least
/// three figures, whose ids differ only in the number at their end.
struct Picture {
  private struct Panel {
    let name: String
    let unit: String
    let budget: Double?
    let points: [(size: Double, value: Double)]
  }

  private let panels: [Panel]
  private static let width = 260.0
  private static let height = 170.0
  private static let columns = 3
  private static let left = 12.0
  private static let top = 44.0
  private static let plotWidth = 224.0
  private static let plotHeight = 88.0

  init(of figures: [Figure]) {
    var names: [String] = []
    var families: [String: [(size: Double, figure: Figure)]] = [:]
    for figure in figures {
      guard let match = figure.id.firstMatch(of: /^(?<name>.*?)[.-](?<size>[0-9]+)$/),
        let size = Double(match.size)
      else { continue }
      let name = String(match.name)
      if families[name] == nil { names.append(name) }
      families[name, default: []].append((size, figure))
    }
    panels = names.compactMap { name in
      guard let family = families[name]?.sorted(by: { $0.size < $1.size }), family.count > 2,
        let first = family.first?.figure
      else { return nil }
      let haveOneBudget = family.allSatisfy { $0.figure.budget == first.budget }
      return Panel(
        name: name, unit: first.unit, budget: haveOneBudget ? first.budget : nil,
        points: family.map { ($0.size, $0.figure.value) })
    }
  }

  var svg: String {
    let rows = (panels.count + Self.columns - 1) / Self.columns
    let size = (Self.width * Double(Self.columns), Self.height * Double(rows))
    let body = panels.enumerated().map { index, panel in
      let (row, column) = index.quotientAndRemainder(dividingBy: Self.columns)
      let (x, y) = (Double(column) * Self.width, Double(row) * Self.height)
      return "<g transform=\"translate(\(x) \(y))\">\n\(draw(panel))</g>\n"
    }.joined()
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(size.0)" height="\(size.1)" \
      viewBox="0 0 \(size.0) \(size.1)" font-family="DejaVu Sans, sans-serif" font-size="11">
      <rect width="100%" height="100%" fill="#ffffff"/>
      \(body)</svg>

      """
  }

  private func draw(_ panel: Panel) -> String {
    let sizes = panel.points.map { log10($0.size) }
    let (low, high) = (sizes.min() ?? 0, sizes.max() ?? 1)
    let highest = max(panel.points.map(\.value).max() ?? 1, panel.budget ?? 0) * 1.1
    func x(_ size: Double) -> Double {
      Self.left + (log10(size) - low) / max(high - low, 0.1) * Self.plotWidth
    }
    func y(_ value: Double) -> Double { Self.top + (1 - value / highest) * Self.plotHeight }
    func text(_ x: Double, _ y: Double, _ text: String, _ color: String, _ anchor: String = "middle")
      -> String
    {
      "<text x=\"\(number(x))\" y=\"\(number(y))\" fill=\"\(color)\" text-anchor=\"\(anchor)\">\(text)</text>\n"
    }
    // The label is below the point if the line of the goal is just above the point.
    func labelHeight(of value: Double) -> Double {
      let isBelowGoal = panel.budget.map { value < $0 && y(value) - y($0) < 24 } ?? false
      return y(value) + (isBelowGoal ? 15 : -7)
    }
    let bottom = Self.top + Self.plotHeight
    var lines = text(
      Self.left, 18, "<tspan font-weight=\"bold\">\(panel.name)</tspan>, \(panel.unit)", "#222222", "start")
    lines += line(Self.left, bottom, Self.left + Self.plotWidth, bottom, "#bbbbbb")
    if let budget = panel.budget {
      lines += line(Self.left, y(budget), Self.left + Self.plotWidth, y(budget), "#c0392b", dashes: "4 3")
      lines += text(Self.left + Self.plotWidth, y(budget) - 3, "goal \(value(budget))", "#c0392b", "end")
    }
    let path = panel.points.map { "\(number(x($0.size))),\(number(y($0.value)))" }.joined(separator: " ")
    lines += "<polyline points=\"\(path)\" fill=\"none\" stroke=\"#2a6fb0\" stroke-width=\"2\"/>\n"
    for (index, point) in panel.points.enumerated() {
      let anchor = index == 0 ? "start" : index == panel.points.count - 1 ? "end" : "middle"
      lines +=
        "<circle cx=\"\(number(x(point.size)))\" cy=\"\(number(y(point.value)))\" r=\"3\" fill=\"#2a6fb0\"/>\n"
      lines += text(x(point.size), labelHeight(of: point.value), value(point.value), "#2a6fb0", anchor)
      lines += text(x(point.size), bottom + 15, size(point.size), "#555555", anchor)
    }
    return lines
  }

  private func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String, dashes: String = "none"
  ) -> String {
    "<line x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\" "
      + "stroke=\"\(color)\" stroke-dasharray=\"\(dashes)\"/>\n"
  }

  private func number(_ value: Double) -> String { String(format: "%.1f", value) }

  private func value(_ value: Double) -> String {
    String(format: value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
  }

  private func size(_ size: Double) -> String {
    size >= 1_000_000 ? "\(Int(size / 1_000_000))M" : size >= 1000 ? "\(Int(size / 1000))k" : "\(Int(size))"
  }
}
