/// The sends that wait for their ACK on one connection, found by what an ACK names them with.
///
/// It decides and does nothing else; times are uptimes. Several sends may wait under one key: an ACK answers them all.
public struct AckTable<Key: Hashable & Sendable>: Sendable {
  /// One send that waits.
  public struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// What an ACK means to this table.
  public enum Answer: Hashable, Sendable {
    /// These sends waited for it, the oldest first; they wait no more.
    case awaited([Ticket])
    /// It was answered before.
    case double
    /// Nobody waits any more: the deadlines passed, or the sends were cancelled.
    case late
    /// Nothing was sent under this key, or so long ago that it is forgotten.
    case foreign
  }

  private enum Ending { case answered, abandoned }
  private struct Entry: Sendable {
    let ticket: Ticket
    let key: Key
    let deadline: Duration
  }

  private let memory: Int
  private var count: UInt64 = 0
  private var entries: [Entry] = []
  private var endings: [Key: Ending] = [:]
  /// The keys of `endings`, oldest first.
  private var ended: [Key] = []

  /// A table without sends.
  ///
  /// - Parameter memory: how many ended keys are kept to tell a late or double ACK from a foreign one.
  public init(remembering memory: Int = 256) { self.memory = max(memory, 0) }

  /// Whether nobody waits.
  public var isEmpty: Bool { entries.isEmpty }

  /// The earliest moment at which a deadline passes; nil if nobody waits.
  public var nextDeadline: Duration? { entries.map(\.deadline).min() }

  /// A send begins to wait, until `deadline` at the most.
  public mutating func added(_ key: Key, deadline: Duration) -> Ticket {
    count += 1
    let ticket = Ticket(number: count)
    entries.append(Entry(ticket: ticket, key: key, deadline: deadline))
    if endings.removeValue(forKey: key) != nil { ended.removeAll { $0 == key } }
    return ticket
  }

  /// An ACK, or a refusal, came in.
  public mutating func acknowledged(_ key: Key) -> Answer {
    let tickets = entries.filter { $0.key == key }.map(\.ticket)
    if tickets.isEmpty {
      return switch endings[key] {
      case .answered: .double
      case .abandoned: .late
      case nil: .foreign
      }
    }
    entries.removeAll { $0.key == key }
    remember(key, .answered)
    return .awaited(tickets)
  }

  /// It is now `now`; answers whose deadlines have passed, the oldest send first. They wait no more.
  public mutating func expired(at now: Duration) -> [Ticket] {
    abandon { $0.deadline <= now }
  }

  /// A send is no longer waited for; one that doesn't wait changes nothing.
  public mutating func cancelled(_ ticket: Ticket) {
    _ = abandon { $0.ticket == ticket }
  }

  /// The connection has ended; answers everyone who waited, the oldest send first.
  public mutating func closed() -> [Ticket] {
    abandon { _ in true }
  }

  private mutating func abandon(where isLeft: (Entry) -> Bool) -> [Ticket] {
    let left = entries.filter(isLeft)
    entries.removeAll(where: isLeft)
    for entry in left where !entries.contains(where: { $0.key == entry.key }) {
      remember(entry.key, .abandoned)
    }
    return left.map(\.ticket)
  }

  private mutating func remember(_ key: Key, _ ending: Ending) {
    if endings.updateValue(ending, forKey: key) == nil { ended.append(key) }
    if ended.count > memory { endings[ended.removeFirst()] = nil }
  }
}
