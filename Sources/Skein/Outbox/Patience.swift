/// How long the outbox has put up with an operation; stored with it.
struct Patience: Sendable, Equatable {
  /// How many failures in a row park a message.
  static let failuresBeforeParking = 5
  /// How long a parked message rests between two attempts.
  static let rest = Duration.seconds(300)

  /// How often in a row the server failed at it while others got through.
  var failures = 0
  /// Whether the lane goes on without it.
  var isParked = false
  /// How long it has been tried with a connection.
  var waited = Duration.zero
}
