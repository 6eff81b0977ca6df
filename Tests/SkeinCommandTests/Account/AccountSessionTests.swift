import Foundation
import Skein
import SkeinHTTP
import SkeinMatrix
import Testing

@testable import SkeinCommand

@Suite("The stored session of either protocol")
struct AccountSessionTests {
  private static let url = URL(filePath: "/server")
  private static let skein = AccountSession.skein(
    Session(
      server: url, user: "alice", token: AccessToken(rawValue: "t"), expiresAt: Timestamp(milliseconds: .max),
      refreshToken: AccessToken(rawValue: "r")))
  private static let matrix = AccountSession.matrix(
    MatrixSession(
      homeserver: url, user: "@alice:example.org", device: "D", token: MatrixToken(rawValue: "t"),
      refreshToken: MatrixToken(rawValue: "r")))

  @Test("A session is read as it was written", arguments: [skein, matrix])
  func stored(_ session: AccountSession) throws {
    let read = try JSONDecoder().decode(AccountSession.self, from: JSONEncoder().encode(session))
    switch (session, read) {
    case (.skein(let session), .skein(let read)): #expect(read == session)
    case (.matrix(let session), .matrix(let read)): #expect(read == session)
    default: Issue.record("The session has become one of another protocol.")
    }
  }

  @Test("A forgotten session is over, and still belongs to its user and server", arguments: [skein, matrix])
  func forgotten(_ session: AccountSession) {
    #expect(!session.isOver)
    #expect(session.forgotten.isOver)
    #expect(session.forgotten.user == session.user && session.forgotten.server == session.server)
  }

  @Test("A Matrix user may be named without the homeserver, another user not")
  func names() {
    #expect(Self.matrix.isOf("alice") && Self.matrix.isOf("Alice") && Self.matrix.isOf("@alice:example.org"))
    #expect(!Self.matrix.isOf("ali") && !Self.matrix.isOf("@alice:example.com"))
    #expect(Self.skein.isOf("alice") && !Self.skein.isOf("@alice:example.org"))
  }

  @Test("A typed name without a homeserver is one of the account's homeserver")
  func typed() {
    let alice: UserID = "@alice:example.org:8448"
    #expect(UserID("bob", like: alice) == "@bob:example.org:8448")
    #expect(UserID("@bob", like: alice) == "@bob:example.org:8448")
    #expect(UserID("@bob:example.net", like: alice) == "@bob:example.net")
    #expect(UserID("bob", like: "alice") == "bob")
  }
}
