/// The messages that wait for one connection, cut into fragments as the network takes them.
///
/// Decides and does nothing else; a message is taken only while less than the high mark is queued.
struct FrameQueue {
  /// A stretch of the first message.
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
  /// Whether those who wait may go on.
  var isLow: Bool { size <= lowMark }

  /// What a message counts: its bytes and a share for the queue itself, so that empty ones are bounded too.
  static func cost(_ message: WebSocketMessage) -> Int { message.bytes.count + 64 }

  mutating func add(_ message: WebSocketMessage) {
    queue.append(message)
    size += Self.cost(message)
  }

  /// The next fragment, of at most `limit` bytes; counted as sent.
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
