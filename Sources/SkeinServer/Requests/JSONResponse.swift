import SkeinSockets
import SkeinWire

extension HTTPResponse {
  /// A response with a JSON body.
  static func json(_ status: Int, _ value: some Encodable, headers: HTTPHeaders = [:]) -> HTTPResponse {
    var headers = headers
    headers["Content-Type"] = "application/json"
    headers["Cache-Control"] = "no-store"
    // The protocol's types contain only strings, integers and Booleans, so encoding these types can't fail.
    let bytes = (try? Wire.encode(value)) ?? []
    return HTTPResponse(status: status, headers: headers, content: .bytes(bytes))
  }
}

extension Refusal {
  /// The refusal as a response.
  var response: HTTPResponse {
    .json(
      status,
      Wire.ErrorResponse(
        error: Wire.Failure(code: code, message: message), message: stored, offset: offset),
      headers: headers)
  }
}
