/// The derived values, in the order in which they are computed at the end of each unit of work.
///
/// Later ones build on earlier ones: lost messages fail, failed ones get their places, quotes show both, and the
/// preview and the counts are computed from the result.
enum Derivations {
  static let all: [any Derivation] = [LostMessages(), FailedPlaces(), Quotes(), Previews(), UnreadCounts()]
}
