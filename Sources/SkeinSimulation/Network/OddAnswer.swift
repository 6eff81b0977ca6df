import SkeinModel

/// A form that the contract does not allow for an answer. The content of the answer is true.
enum OddAnswer: CaseIterable {
  /// The messages of each conversation are in another order.
  case reversed
  /// Each message occurs twice.
  case doubled
  /// Each conversation of a sync occurs twice; the end of a page is not marked.
  case repeated
  /// A sync announces more than there is; a page reports no start.
  case endless
  /// A sync starts from a cursor that was not requested; a page is of another epoch.
  case foreign

  func change(_ batch: SyncBatch) -> SyncBatch {
    var batch = batch
    switch self {
    case .reversed, .doubled:
      for index in batch.conversations.indices { change(&batch.conversations[index].messages) }
    case .repeated: batch.conversations += batch.conversations
    case .endless: batch.hasMore = true
    case .foreign: batch.from = SyncCursor(rawValue: "foreign")
    }
    return batch
  }

  func change(_ page: HistoryPage) -> HistoryPage {
    var page = page
    switch self {
    case .reversed, .doubled: change(&page.messages)
    case .repeated: page.reachesEnd = false
    case .endless: page.reachesStart = false
    case .foreign: page.epoch = Epoch(rawValue: "foreign")
    }
    return page
  }

  private func change(_ messages: inout [IncomingMessage]) {
    if self == .reversed { messages.reverse() } else { messages += messages }
  }
}
