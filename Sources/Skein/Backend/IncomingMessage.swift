#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message as the server hands it over.
public struct IncomingMessage: Sendable, Hashable {
  /// The server's name for it; nil where it has none.
  public var serverID: ServerMessageID?
  /// The name its sender's client gave it; nil where the server does not keep it.
  public var messageID: MessageID?
  /// Who sent it.
  public var sender: UserID
  /// Its place in the conversation, where the server orders.
  public var position: Position?
  /// When the server took it.
  public var time: Timestamp
  /// Its type name.
  public var kind: MessageKind
  /// The content's bytes as their sender froze them.
  public var payload: Data
  /// Rises with every edit, recall or reaction; 0 where the server does not count.
  public var revision: Int64
  /// What its sender's app told beside the content; nil where the server does not keep that.
  public var parameters: [String: String]?

  /// Describes a message.
  public init(
    serverID: ServerMessageID?, messageID: MessageID?, sender: UserID, position: Position?, time: Timestamp,
    kind: MessageKind, payload: Data, revision: Int64 = 0, parameters: [String: String]? = nil
  ) {
    self.serverID = serverID
    self.messageID = messageID
    self.sender = sender
    self.position = position
    self.time = time
    self.kind = kind
    self.payload = payload
    self.revision = revision
    self.parameters = parameters
  }
}
