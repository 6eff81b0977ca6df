import SkeinSockets
import SkeinStorage
import SkeinWire

/// The calls of the protocol, and the parts of the server that the calls use. Each extension has the calls of one
/// subject.
struct Endpoints: Sendable {
  let database: Database
  let epoch: Wire.Epoch
  let options: ServerOptions
  let passwords: Passwords
  let attempts: SignInAttempts
  let commits: MessageCommits
  let pushHub: PushHub
  let mediaFolder: MediaFolder
  let uploads: UploadFolder
  let copies = CopyThreads()

  var now: Int64 { options.clock.now() }

  /// Returns the user of a request; throws a 401 if the request has no valid token.
  func asker(of request: HTTPRequest) async throws -> Asker {
    let header = request.headers["Authorization"]?.split(separator: " ", maxSplits: 1) ?? []
    guard header.count == 2, header[0].lowercased() == "bearer" else { throw Refusal.unauthorized }
    let id = SessionID(token: String(header[1]))
    guard let session = try await database.read({ try $0.find(StoredSession.self, id) }),
      session.expires > now
    else { throw Refusal.unauthorized }
    return Asker(user: session.user, session: id, expires: session.expires)
  }

  /// Reports an internal failure.
  ///
  /// - Returns: the refusal for the client.
  func serverFailed(_ error: any Error, _ call: String) -> Refusal {
    options.report("\(call): \(error)")
    return Refusal(status: 500, code: .serverFailed, message: "The server failed.")
  }

  /// `GET /v1/health`
  @Sendable func health(_ call: Call) async throws -> HTTPResponse { .json(200, Wire.Health(status: "ok")) }
}
