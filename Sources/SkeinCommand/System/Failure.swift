/// An error that ends a command, with a text for the user.
struct Failure: Error, CustomStringConvertible {
  /// The text for the user.
  let description: String
  /// The underlying error.
  let cause: (any Error)?

  init(_ description: String, _ cause: (any Error)? = nil) {
    self.description = description
    self.cause = cause
  }
}
