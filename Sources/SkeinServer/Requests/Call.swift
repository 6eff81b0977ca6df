import SkeinSockets
import SkeinWire

/// A request for which a route was found. The values in path, query and body are validated when they are read.
struct Call: Sendable {
  let request: HTTPRequest
  /// The value for each `{}` of the route's pattern.
  let parameters: [String]
  let limits: ServerLimits

  /// The conversation in the path; throws a 404 for a malformed id.
  var conversation: ConversationID {
    get throws {
      guard let text = parameters.first, let id = ConversationID(Wire.ConversationID(rawValue: text)) else {
        throw Refusal.notFound
      }
      return id
    }
  }

  /// Returns a number in the query; nil if the number is missing. Throws a 400 if the number is malformed or
  /// out of range.
  func number(_ name: String, in range: ClosedRange<Int64> = .min ... .max) throws -> Int64? {
    guard let text = request.parameter(name) else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      let bounds = range == .min ... .max ? "" : " from \(range.lowerBound) to \(range.upperBound)"
      throw Refusal(status: 400, code: .badRequest, message: "`\(name)` must be a whole number\(bounds).")
    }
    return number
  }

  /// Decodes the JSON body; throws a 400, 413 or 415 if the body is invalid.
  func json<Body: Decodable>(_ type: Body.Type) async throws -> Body {
    let contentType = request.headers["Content-Type"]?.prefix { $0 != ";" && $0 != " " }
    guard contentType?.lowercased() == "application/json" else {
      throw Refusal.unsupportedType("The body must be `application/json`.")
    }
    let bytes = try await body(upTo: limits.body)
    do {
      return try Wire.decode(type, from: bytes)
    } catch {
      throw Refusal(status: 400, code: .badJSON, message: "The body is not the JSON that this call expects.")
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

/// The user of a request. The request's token was valid when the request arrived.
struct Asker: Sendable {
  let user: Wire.UserID
  let session: SessionID
  /// When the token expires, in milliseconds since 1970.
  let expires: Int64
}
