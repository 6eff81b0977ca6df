import Testing

@testable import SkeinSimulation

@Suite("Weighted choices")
struct WeightedTests {
  @Test("Every action is drawn about as often as its weight says")
  func actions() {
    let counts = draw(SimulatedAction.self, times: 30_000)
    let total = SimulatedAction.allCases.reduce(0) { $0 + $1.weight }
    for action in SimulatedAction.allCases {
      let expected = 30_000 * action.weight / total
      #expect(action.weight > 0, "\(action) is never drawn")
      #expect(abs((counts[action] ?? 0) - expected) <= expected / 2 + 5, "\(action)")
    }
  }

  @Test("Every fault except a server reset is drawn either for a device, or for single requests and pushes")
  func faults() {
    let counts = draw(SimulatedFault.self, times: 1000)
    var generator = SplitMix(seed: 1)
    let weathers = (0..<100).map { _ in Weather.drawn(from: &generator) }
    for fault in SimulatedFault.allCases where fault != .setBack {
      let isInWeather = weathers.contains { $0[fault] > 0 }
      #expect((counts[fault] != nil) != isInWeather, "\(fault)")
    }
  }

  private func draw<Choice: Weighted & Hashable>(_ type: Choice.Type, times: Int) -> [Choice: Int] {
    var generator = SplitMix(seed: 42)
    return (0..<times).reduce(into: [:]) { counts, _ in counts[generator.choose(type), default: 0] += 1 }
  }
}
