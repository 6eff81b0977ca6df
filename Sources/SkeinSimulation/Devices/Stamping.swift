import Skein

/// A participant that prepares every third text by a request over the device's link, which may fail.
struct Stamping: SendParticipant {
  /// The parameter that a prepared message has.
  static let parameter = "stamp"

  let link: Link
  let process: SimulatedProcess
  let ledger: Ledger

  var name: String { "stamping" }

  func needsPreparation(_ draft: MessageDraft) -> Bool {
    draft.content.kind == TextContent.kind && Self.isMeant(Token.of(draft.content))
  }

  func prepare(_ draft: inout MessageDraft) async throws {
    do {
      draft.parameters[Self.parameter] = try await link.call(.uploading, in: process, repeats: true) { "1" }
    } catch {
      if let token = Token.of(draft.content) { ledger.failsToPrepare(token, error, on: link.device) }
      throw error
    }
  }

  /// Whether the text with a token must be prepared.
  static func isMeant(_ token: String?) -> Bool {
    guard let token, let mark = token.lastIndex(of: "#") else { return false }
    return (Int(token[token.index(after: mark)...]) ?? 1) % 3 == 0
  }
}
