/// Places the answers of a server that reorders its history next to stored messages that they share.
extension SpanMap {
  /// Places the messages of a sync that has omitted earlier messages, on a server that reorders its history.
  ///
  /// The server may list omitted messages after the last message of a span, even if the sync contains that message. A sync
  /// that contains the last message of a span, but not the first, therefore does not join that span: a gap remains.
  ///
  /// - Parameters:
  ///   - answer: the messages in ascending order.
  ///   - index: the number of spans that the answer is above.
  /// - Returns: the places; nil if there is no room.
  func placeIncomplete(_ answer: [PriorPlace], above index: Int) -> Placement? {
    let shared = spans.indices.filter {
      answer.contains(.known(spans[$0].upper)) && !answer.contains(.known(spans[$0].lower))
    }
    let kept = answer.map { place -> Rank? in
      guard case .known(let rank) = place else { return nil }
      return shared.contains { spans[$0].lower <= rank && rank <= spans[$0].upper } ? rank : nil
    }
    // An answer without any other message has no place of its own.
    guard let last = shared.last, kept.contains(nil) else {
      return place(answer, .free(above: index), isNews: true)
    }
    let others = zip(answer, kept).map { $1 == nil ? $0 : .leftOut }
    guard var placement = place(others, .free(above: max(index, last + 1)), isNews: true) else { return nil }
    placement.ranks = zip(placement.ranks, kept).map { $0 ?? $1 }
    return placement
  }

  /// Places the messages of a page that was requested before the first message of a span, on a server that reorders its history.
  ///
  /// If the page contains messages of the span below, but not the last one, paging has begun below that last message: a sync
  /// contained it. The page then counts as containing it, and joins the two spans.
  ///
  /// - Parameters:
  ///   - page: the messages in ascending order.
  ///   - edge: the rank of the message before which the page was requested.
  /// - Returns: the places; nil if there is no room, or if no span has the edge.
  func placeReordered(_ page: [PriorPlace], below edge: Rank) -> Placement? {
    guard let span = spans.last(where: { $0.upper < edge }), !page.contains(.known(span.upper)),
      page.contains(where: {
        if case .known(let rank) = $0 { span.lower <= rank && rank < span.upper } else { false }
      })
    else { return place(page, .below(edge)) }
    var placement = place(page + [.known(span.upper)], .below(edge))
    placement?.ranks.removeLast()
    return placement
  }
}
