/// The sends of one connection that wait for an ACK (acknowledgement), by the key that the ACK contains.
///
/// A pure state machine; times are uptimes. Several sends may wait under one key; one ACK then answers all these sends.
public struct AckTable<Key: Hashable & Sendable>: Sendable {
  /// Identifies one send that waits.
  public struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// The result of recording an ACK or a refusal.
  public enum Answer: Hashable, Sendable {
    /// The sends that waited for the ACK, oldest first; the table no longer contains these sends.
    case awaited([Ticket])
    /// No send waits under the key: an earlier ACK or refusal has answered the key's sends.
    case double
    /// No send waits under the key any more: the deadlines passed, the sends were cancelled, or the connection ended.
    case late
    /// The table does not know the key. The table may have forgotten an old key.
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

  /// Creates a table without sends.
  ///
  /// - Parameter memory: the number of keys to keep after their sends have ended; the kept keys distinguish late and
  ///   double ACKs from foreign ACKs.
  public init(remembering memory: Int = 256) { self.memory = max(memory, 0) }

  /// Whether no send waits.
  public var isEmpty: Bool { entries.isEmpty }

  /// The earliest deadline; nil if no send waits.
  public var nextDeadline: Duration? { entries.lazy.map { $0.deadline }.min() }

  /// Adds a send that waits until `deadline`.
  public mutating func added(_ key: Key, deadline: Duration) -> Ticket {
    count += 1
    let ticket = Ticket(number: count)
    entries.append(Entry(ticket: ticket, key: key, deadline: deadline))
    if endings.removeValue(forKey: key) != nil { ended.removeAll { $0 == key } }
    return ticket
  }

  /// Records an ACK or a refusal, and removes the sends that wait under its key.
  public mutating func acknowledged(_ key: Key) -> Answer {
    let tickets = entries.filter { $0.key == key }.map { $0.ticket }
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

  /// Removes and returns the sends whose deadlines have passed, oldest first.
  public mutating func expired(at now: Duration) -> [Ticket] {
    abandon { $0.deadline <= now }
  }

  /// Removes a send; does nothing if the send no longer waits.
  public mutating func cancelled(_ ticket: Ticket) {
    _ = abandon { $0.ticket == ticket }
  }

  /// Removes and returns all sends, oldest first, because the connection has ended.
  public mutating func closed() -> [Ticket] {
    abandon { _ in true }
  }

  private mutating func abandon(where isLeft: (Entry) -> Bool) -> [Ticket] {
    let left = entries.filter(isLeft)
    entries.removeAll(where: isLeft)
    for entry in left where !entries.contains(where: { $0.key == entry.key }) {
      remember(entry.key, .abandoned)
    }
    return left.map { $0.ticket }
  }

  private mutating func remember(_ key: Key, _ ending: Ending) {
    if endings.updateValue(ending, forKey: key) == nil { ended.append(key) }
    if ended.count > memory { endings[ended.removeFirst()] = nil }
  }
}
