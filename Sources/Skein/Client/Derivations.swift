/// What follows from what is stored, in the order in which it is derived at the end of each unit of work.
///
/// A later one may build on an earlier one: lost messages fail, failed ones get their places, quotes show both, and the
/// preview and the counts are those of the result.
enum Derivations {
  static let all: [any Derivation] = [LostMessages(), FailedPlaces(), Quotes(), Previews(), UnreadCounts()]
}
