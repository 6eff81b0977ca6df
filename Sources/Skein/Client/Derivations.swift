/// The derived values, in the order in which they are computed at the end of each unit of work.
///
/// Later derivations use the results of earlier derivations: lost messages fail, failed messages get their
/// places, quotes are updated, and the previews and the unread counts are computed from the result.
enum Derivations {
  static let all: [any Derivation] = [LostMessages(), FailedPlaces(), Quotes(), Previews(), UnreadCounts()]
}
