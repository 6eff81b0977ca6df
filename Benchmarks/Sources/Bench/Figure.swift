import Foundation

/// One measured value.
struct Figure: Encodable, Sendable {
  /// The direction in which a value is better.
  enum Better: Sendable { case higher, lower }

  let id: String
  /// The median of the measured values.
  let value: Double
  let unit: String
  /// The goal; nil if there is none.
  let budget: Double?
  /// Whether the value meets the budget; true without a budget.
  let ok: Bool
  /// The lowest and the highest of the measured values.
  let spread: [Double]
  /// The value divided by the reference's value in the same run; nil if there is no reference.
  let ratio: Double?
  private let better: Better

  init(
    _ id: String, _ values: [Double], _ unit: String, _ better: Better = .lower, budget: Double? = nil,
    reference: Double? = nil
  ) {
    let sorted = values.sorted()
    let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    self.id = id
    self.value = median
    self.unit = unit
    self.budget = budget
    ok = budget.map { better == .higher ? median >= $0 : median <= $0 } ?? true
    spread = [sorted.first ?? 0, sorted.last ?? 0]
    ratio = reference.map { median / $0 }
    self.better = better
  }

  private enum CodingKeys: CodingKey { case id, value, unit, budget, ok, spread, ratio }

  /// Whether the ratio is more than 1.5 times worse than a stored ratio. If the figure has no ratio, compares
  /// the value with a stored value.
  func isWorse(than stored: Double) -> Bool {
    let measured = ratio ?? value
    return better == .higher ? measured * 1.5 < stored : measured > stored * 1.5
  }
}

extension [Double] {
  /// The value below which a fraction of the values lies. `part` is the fraction, such as 0.5 or 0.95.
  func percentile(_ part: Double) -> Double {
    let sorted = sorted()
    return sorted.isEmpty ? 0 : sorted[Swift.min(Int(Double(sorted.count) * part), sorted.count - 1)]
  }
}

extension Duration {
  var milliseconds: Double { seconds * 1000 }
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
