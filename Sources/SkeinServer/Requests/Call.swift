import SkeinSockets
import SkeinWire

/// A request that found its route: the values in its path, its query and its body, each checked when it is asked for.
struct Call: Sendable {
  let request: HTTPRequest
  /// What stood for each `{}` of the route's pattern.
  let parameters: [String]
  let limits: ServerLimits

  /// The conversation in the path; one that can't be is refused as one that isn't there.
  var conversation: ConversationID {
    get throws {
      guard let text = parameters.first, let id = ConversationID(Wire.ConversationID(rawValue: text)) else {
        throw Refusal.notFound
      }
      return id
    }
  }

  /// A number of the query in its range, or nil if it isn't there.
  func number(_ name: String, in range: ClosedRange<Int64> = .min ... .max) throws -> Int64? {
    guard let text = request.parameter(name) else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      let bounds = range == .min ... .max ? "" : " from \(range.lowerBound) to \(range.upperBound)"
      throw Refusal(status: 400, code: .badRequest, message: "`\(name)` must be a whole number\(bounds).")
    }
    return number
  }

  /// The body as JSON of the type.
  func json<Body: Decodable>(_ type: Body.Type) async throws -> Body {
    let contentType = request.headers["Content-Type"]?.prefix { $0 != ";" && $0 != " " }
    guard contentType?.lowercased() == "application/json" else {
      throw Refusal.unsupportedType("The body must be `application/json`.")
    }
    let bytes = try await body(upTo: limits.body)
    do {
      return try Wire.decode(type, from: bytes)
    } catch {
      throw Refusal(status: 400, code: .badJSON, message: "The body is not the JSON this call takes.")
    }
  }

  private func body(upTo limit: Int) async throws -> [UInt8] {
    do {
      return try await request.body.collect(upTo: limit)
    } catch let error as SocketError where error.code == .bodyTooLarge {
      throw Refusal.tooLarge("The body", limit)
    }
  }
}

/// Who asks, by a token that was good when the request came.
struct Asker: Sendable {
  let user: Wire.UserID
  let session: SessionID
  /// When the token stops being good, in milliseconds since 1970.
  let expires: Int64
}
