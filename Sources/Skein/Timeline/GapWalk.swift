/// Decides whether messages that are missing may be beyond a page, on a server without positions.
///
/// The message at the far edge of a gap ends the gap, but if a page ends exactly at this message, messages of the same moment
/// may follow. One more page is fetched then.
///
/// If the server reorders its history, missing messages may be among stored ones:
///
/// 1. After the edge of a stored stretch, pages are fetched until a whole page contains nothing new.
/// 2. Once a page contains a message from beyond the gap, pages are fetched until the far edge is reached, so that the
///    stretch beyond the gap is placed as a whole.
/// 3. Before the far edge, a page may contain nothing new either, because another gap has listed its messages. Paging then
///    continues.
struct GapWalk: Sendable {
  private enum Kind: Sendable {
    case ordered
    /// The server reorders its history; paging goes through a gap in a direction.
    case reordered(PagingDirection)
    /// The server reorders its history, and the first page was not requested at the edge of a span.
    case free
  }

  private let kind: Kind
  /// The rank of the message at the far edge of the gap.
  private let edge: Rank?
  /// The ranks of the messages at which paging joins a stored stretch.
  private let joints: Set<Rank>
  private var hasReachedEdge = false
  private var hasPassedEdge = false

  /// A walk through a gap to the message at its far edge.
  init(to edge: Rank) {
    (kind, self.edge, joints) = (.ordered, edge, [edge])
  }

  /// A walk through a gap of a server that reorders its history.
  ///
  /// - Parameter beyond: the near edges of the spans beyond the gap.
  init(to edge: Rank, beyond: [Rank], _ direction: PagingDirection) {
    (kind, self.edge, joints) = (.reordered(direction), edge, Set(beyond))
  }

  /// A walk on a server that reorders its history, from a page that was not requested at the edge of a span.
  init(fromPageTo edges: [Rank]) {
    (kind, edge, joints) = (.free, nil, Set(edges))
  }

  /// Returns whether another page is needed.
  ///
  /// - Parameter places: the ranks of the page's messages in the direction of paging; nil for a new message.
  mutating func continues(after places: [Rank?]) -> Bool {
    let hasNews = places.contains(nil)
    let joins = places.contains { $0.map(joints.contains) ?? false }
    switch kind {
    case .ordered:
      return places.last == edge
    case .free:
      hasReachedEdge = hasReachedEdge || joins
      return hasReachedEdge && hasNews
    case .reordered(let direction):
      guard let edge else { return false }
      hasReachedEdge = hasReachedEdge || places.contains(edge)
      hasPassedEdge =
        hasPassedEdge
        || places.contains { place in place.map { direction == .older ? $0 < edge : $0 > edge } ?? false }
      return joins || hasNews == hasReachedEdge || hasPassedEdge && !hasReachedEdge
    }
  }
}
