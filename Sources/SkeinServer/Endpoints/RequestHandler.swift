import SkeinSockets
import SkeinWire

/// Routes each request, and turns every error into a response.
struct RequestHandler: SocketServerHandler {
  let endpoints: Endpoints

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let start = ContinuousClock.now
    let found = Route.matching(request.path)
    let match = found.first { $0.0.answers(request.method) }
    var response: HTTPResponse
    do {
      if let (route, parameters) = match {
        let call = Call(request: request, parameters: parameters, limits: endpoints.options.limits)
        response = try await answer(call, route.handler)
      } else {
        throw refusal(for: request.path, allowing: found.map(\.0.method))
      }
    } catch let error {
      response =
        (Refusal(error)
        ?? endpoints.serverFailed(error, "\(match?.0.method ?? "") \(match?.0.pattern ?? "")")).response
    }
    response.headers["X-Content-Type-Options"] = "nosniff"
    endpoints.options.log?(
      RequestRecord(
        method: found.isEmpty ? "" : request.method, pattern: (match ?? found.first)?.0.pattern ?? "",
        status: response.status, duration: start.duration(to: .now)))
    return response
  }

  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async {
    await endpoints.serve(socket, opening: request)
  }

  private func answer(_ call: Call, _ handler: Route.Handler) async throws -> HTTPResponse {
    switch handler {
    case .anyone(let open): return try await open(endpoints)(call)
    case .signedIn(let signedIn):
      return try await signedIn(endpoints)(call, try await endpoints.asker(of: call.request))
    }
  }

  private func refusal(for path: String, allowing methods: [String]) -> Refusal {
    if methods.isEmpty { return .notFound }
    return Refusal(
      status: 405, code: .methodNotAllowed, message: "This path accepts \(methods.joined(separator: ", ")).",
      headers: ["Allow": methods.joined(separator: ", ")])
  }
}
