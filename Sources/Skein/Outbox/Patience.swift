/// How often an operation has failed, and how long it was tried; stored with the operation.
struct Patience: Sendable, Equatable {
  /// The number of failures in a row that park an operation.
  static let failuresBeforeParking = 5
  /// The minimum pause between two attempts of a parked operation in one run.
  static let parkedPause = Duration.seconds(300)

  /// The number of failures in a row while other operations got through.
  var failures = 0
  /// Whether the lane continues without the operation.
  var isParked = false
  /// The total time for which the operation was tried while online.
  var waited = Duration.zero
}
