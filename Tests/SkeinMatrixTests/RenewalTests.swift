import Foundation
import SkeinModel
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

@Suite("Renewed sessions of a Matrix backend")
struct RenewalTests {
  private struct Full: Error {}

  /// A homeserver that issues the tokens `access 1`, `access 2` … for the refresh tokens `refresh 0`, `refresh 1` …
  private static let homeserver = ScriptedTransport { request in
    guard request.url.path().hasSuffix("/refresh"), case .bytes(let bytes)? = request.body else {
      return .json(["next_batch": "s1"])
    }
    let body = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    let number = (body["refresh_token"]?.string?.last?.wholeNumberValue ?? 0) + 1
    return .json(["access_token": .string("access \(number)"), "refresh_token": .string("refresh \(number)")])
  }

  @Test(
    "A token is used only once the app has stored it, since the homeserver then revokes the token before it")
  func stored() async throws {
    var session = MatrixSession.alice
    (session.token, session.refreshToken) = (
      MatrixToken(rawValue: "access 0"), MatrixToken(rawValue: "refresh 0")
    )
    let used = Mutex<[String?]>([])
    let transport = ScriptedTransport { request in
      let header = request.headers.first { $0.name == "Authorization" }?.value
      if let header { used.withLock { $0.append(header) } }
      return try Self.homeserver.prepared(for: request)
    }
    let stored = Mutex<[MatrixSession]>([])
    let isFull = Mutex(true)
    let backend = MatrixBackend(
      session, options: MatrixOptions(), transport: transport, polling: transport
    ) { session in
      if isFull.withLock({ $0 }) { throw Full() }
      stored.withLock { $0.append(session) }
    }
    await #expect(throws: Full.self) { try await backend.renewSession() }
    _ = try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 1)
    #expect(used.withLock { Set($0) } == ["Bearer access 0"])
    isFull.withLock { $0 = false }
    used.withLock { $0 = [] }
    try await backend.renewSession()
    _ = try await backend.sync(since: SyncCursor(rawValue: "s0"), limit: 1)
    #expect(used.withLock { Set($0) } == ["Bearer access 1"])
    #expect(stored.withLock { $0.map(\.refreshToken?.rawValue) } == ["refresh 1"])
  }
}
