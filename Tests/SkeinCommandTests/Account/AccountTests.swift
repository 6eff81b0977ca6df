import Foundation
import Skein
import Testing

@testable import SkeinCommand

/// No server listens at the addresses used here, so an attempt to contact a server fails with
/// an error that no test expects.
@Suite("A folder belongs to one user of one server")
struct AccountTests {
  @Test("A stored session is used without contacting the server, even if the user asks to register")
  func again() async throws {
    try await withFolder { folder in
      try keep(folder, until: .max)
      for registering in [false, true] {
        _ = try await account(folder).session(password: "other", registering: registering)
      }
      _ = try await account(folder, at: "HTTP://127.0.0.1:1/").session(password: nil, registering: false)
    }
  }

  @Test(
    "Another server's folder is refused, even if the session has expired; the error names both servers",
    arguments: [0, .max])
  func anotherServer(end: Int64) async throws {
    try await withFolder { folder in
      try keep(folder, until: end)
      let error = await #expect(throws: Failure.self) {
        try await account(folder, at: "http://127.0.0.1:2").session(password: "pw", registering: true)
      }
      #expect(error?.description.contains("http://127.0.0.1:1,") == true)
      #expect(error?.description.contains("http://127.0.0.1:2;") == true)
    }
  }

  @Test("Another user's folder is refused, and the error names both users")
  func anotherUser() async throws {
    try await withFolder { folder in
      try keep(folder, until: 0)
      let error = await #expect(throws: Failure.self) {
        try await account(folder, user: "bob").session(password: "pw", registering: true)
      }
      #expect(error?.description.contains("alice, not of bob;") == true)
    }
  }

  @Test(
    "A folder that has another user's messages but no session is refused before the server is contacted")
  func anotherDatabase() async throws {
    try await withFolder { folder in
      try keep(folder, until: .max)
      let account = try account(folder)
      try await account.open(account.session(password: nil, registering: false)).close()
      try FileManager.default.removeItem(at: folder.appending(path: "session.json"))
      let error = await #expect(throws: Failure.self) {
        try await self.account(folder, user: "bob").session(password: "pw", registering: true)
      }
      #expect(error?.description.contains("another user's") == true)
    }
  }

  @Test("A folder still belongs to its user after the session is forgotten")
  func forgetting() async throws {
    try await withFolder { folder in
      try keep(folder, until: .max)
      try account(folder).forgetSession()
      await #expect(throws: UsageError.self) {
        try await account(folder).session(password: nil, registering: false)
      }
      await #expect(throws: Failure.self) {
        try await account(folder, user: "bob").session(password: nil, registering: false)
      }
    }
  }

  @Test("A file that is not a database is named in the error and not changed")
  func noDatabase() async throws {
    try await withFolder { folder in
      let file = folder.appending(path: "chat.sqlite")
      try Data("My shopping list, which is precious".utf8).write(to: file)
      let error = await #expect(throws: Failure.self) {
        try await account(folder).session(password: "pw", registering: true)
      }
      #expect(error?.description.contains(file.path) == true)
      #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("My shopping"))
    }
  }

  @Test("The same server address is recognised regardless of letter case, default port and final slash")
  func addresses() throws {
    func isSame(_ left: String, _ right: String) throws -> Bool {
      try Account.isSame(#require(URL(string: left)), #require(URL(string: right)))
    }
    #expect(try isSame("http://Example.org/", "HTTP://example.org:80"))
    #expect(try isSame("https://example.org/a/", "https://example.org:443/a"))
    #expect(try !isSame("https://example.org", "http://example.org"))
    #expect(try !isSame("http://example.org", "http://example.org/a"))
    #expect(try !isSame("http://example.org:1", "http://example.org:2"))
  }

  // MARK: Helpers

  private func account(
    _ folder: URL, user: UserID = "alice", at server: String = "http://127.0.0.1:1"
  ) throws -> Account {
    Account(server: try #require(URL(string: server)), user: user, folder: folder)
  }

  private func keep(_ folder: URL, until end: Int64) throws {
    let session = #"{"server":"http://127.0.0.1:1","user":"alice","token":"t","expiresAt":\#(end)}"#
    try Data(session.utf8).write(to: folder.appending(path: "session.json"))
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "skein-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }
}
