/// A type with weighted cases, for random choices.
protocol Weighted: CaseIterable {
  /// The relative frequency of the case; a case of weight 0 is never chosen.
  var weight: Int { get }
}

extension SplitMix {
  /// Draws one of the cases, by weight.
  mutating func choose<Choice: Weighted>(_ type: Choice.Type = Choice.self) -> Choice {
    var left = below(Choice.allCases.reduce(0) { $0 + $1.weight })
    for choice in Choice.allCases {
      if left < choice.weight { return choice }
      left -= choice.weight
    }
    // The drawn number is below the sum of the weights, so only a type without weights leads here: a mistake.
    fatalError("\(type) has no case with a weight.")
  }
}
