/// Reports the final states of messages to the participants: after the commits, in the order of the commits,
/// and without delaying any message.
final class SendEnds: Sendable {
  private let feed: ChangeFeed
  private let subscription: ChangeFeed.Subscription
  private let telling: Task<Void, any Error>

  init(_ store: ChatStore) {
    let inbox = ChangeInbox()
    feed = store.feed
    subscription = feed.subscribe { if !$0.sendEnds.isEmpty { inbox.add($0) } }
    telling = store.runtime.spawn {
      func tell() {
        for end in inbox.takeAll().flatMap(\.sendEnds) {
          store.participants.tell(end.state, of: end.row.message(for: store.account, kinds: store.kinds))
        }
      }
      while !Task.isCancelled {
        tell()
        await inbox.doorbell.wait()
      }
      tell()
    }
  }

  deinit {
    feed.unsubscribe(subscription)
    telling.cancel()
  }

  /// Reports the final states that are committed so far, and stops.
  func close() async {
    feed.unsubscribe(subscription)
    telling.cancel()
    _ = await telling.result
  }
}
