/// The SplitMix64 random generator. Its only state is one number, which starts as the seed.
package struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts at a seed.
  package init(seed: UInt64) { state = seed }

  /// 64 random bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to `bound - 1`; 0 if `bound` is not positive.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

  /// Returns true in `share` of a thousand cases.
  package mutating func happens(perMille share: Int) -> Bool { below(1000) < share }

  /// A duration with a heavy tail: mostly near `shortest`, sometimes many times as long, at most `longest`.
  package mutating func tail(from shortest: Duration, to longest: Duration) -> Duration {
    var duration = shortest + shortest * below(1000) / 1000
    while duration < longest, below(3) == 0 { duration = duration * 3 }
    return min(duration, longest)
  }
}
