/// A message as the end of what somebody has read or received.
///
/// A mark has what its sender knows of the message. If the server has positions, the position decides. Otherwise the
/// message is found by its server id; if it is not stored on this device yet, the mark applies as soon as it is.
public struct MessageMark: Sendable, Hashable {
  /// The message's position, or any position before the next message; nil if the server has no positions.
  public var position: Position?
  /// The server's id of the message; nil if it is unknown, or if only the position is stated.
  public var serverID: ServerMessageID?

  /// Creates a mark from a position, a server id, or both.
  public init(position: Position? = nil, serverID: ServerMessageID? = nil) {
    self.position = position
    self.serverID = serverID
  }
}
