/// The messages to send on one connection. Each message is split into fragments when the socket accepts data.
///
/// Callers add a message only while ``hasRoom`` is true.
struct FrameQueue {
  /// A part of one queued message.
  struct Fragment: Equatable {
    let kind: WebSocketMessage.Kind
    let bytes: ArraySlice<UInt8>
    let isFirst: Bool
    let isLast: Bool
  }

  let highMark: Int
  let lowMark: Int
  private var queue: [WebSocketMessage] = []
  private var offset = 0
  private(set) var size = 0

  init(highMark: Int = 256 << 10, lowMark: Int = 64 << 10) {
    self.highMark = highMark
    self.lowMark = lowMark
  }

  var isEmpty: Bool { queue.isEmpty }
  var hasRoom: Bool { size < highMark }
  /// Whether waiting senders may continue.
  var isLow: Bool { size <= lowMark }

  /// The size of a message in the queue: its bytes and an overhead, which limits the number of empty
  /// messages.
  static func cost(_ message: WebSocketMessage) -> Int { message.bytes.count + 64 }

  mutating func add(_ message: WebSocketMessage) {
    queue.append(message)
    size += Self.cost(message)
  }

  /// Removes and returns the next fragment, of at most `limit` bytes; nil if the queue is empty.
  mutating func next(upTo limit: Int) -> Fragment? {
    guard let message = queue.first else { return nil }
    let end = min(offset + limit, message.bytes.count)
    let isLast = end == message.bytes.count
    let fragment = Fragment(
      kind: message.kind, bytes: message.bytes[offset..<end], isFirst: offset == 0, isLast: isLast)
    offset = isLast ? 0 : end
    if isLast {
      size -= Self.cost(message)
      queue.removeFirst()
    }
    return fragment
  }
}
