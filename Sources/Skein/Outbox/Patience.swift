/// How often and how long an operation has been tried; stored with it.
struct Patience: Sendable, Equatable {
  /// The number of failures in a row that park a message.
  static let failuresBeforeParking = 5
  /// The pause between two attempts of a parked message.
  static let parkedPause = Duration.seconds(300)

  /// The number of failures in a row while other operations got through.
  var failures = 0
  /// Whether the lane continues without it.
  var isParked = false
  /// The total time for which it was tried while online.
  var waited = Duration.zero
}
