/// A type with weighted cases, for random choices.
protocol Weighted: CaseIterable {
  /// The relative frequency of the case; a case of weight 0 is never chosen.
  var weight: Int { get }
}

extension SplitMix {
  /// Draws one of the cases, by weight.
  mutating func choose<Choice: Weighted>(_ type: Choice.Type = Choice.self) -> Choice {
    let cases = Choice.allCases
    var left = below(cases.reduce(0) { $0 + $1.weight })
    var place = cases.startIndex
    while left >= cases[place].weight {
      left -= cases[place].weight
      cases.formIndex(after: &place)
    }
    return cases[place]
  }
}
