import Foundation
import Skein
import SkeinTransport
import Testing

@testable import SkeinMatrix

/// Calls besides syncs and pages, which the homeserver answers with garbage.
@Suite("Hostile answers to other calls", .timeLimit(.minutes(2)))
struct HostileCallTests {
  @Test(
    "A message whose answer is damaged waits with the reason, and is then sent once",
    arguments: HostileAnswer.everywhere, [TestHomeserver.Call.send, .state])
  func send(_ hostile: HostileAnswer, _ call: TestHomeserver.Call) async throws {
    try await TestPhone.survives(pauses: true) { phone, homeserver in
      homeserver.damage(call) { _ in hostile.answer }
      let sent = try await phone.chat.messenger.send(TextContent("mine"))
      for await state in sent.progress {
        if case .waiting(_, let reason) = state {
          #expect(reason.message.contains(call == .send ? "PUT v3/rooms/" : "GET v3/rooms/"), "\(reason)")
          break
        }
      }
      homeserver.damage(call, nil)
      _ = try await sent.result
      #expect(homeserver.sentMessages == 1)
      #expect(phone.shown == ["1", "2", "3", "mine"])
    }
  }

  @Test(
    "A call that always fails does not stop the sync of the messages",
    arguments: HostileAnswer.everywhere, [TestHomeserver.Call.event, .relations, .members])
  func details(_ hostile: HostileAnswer, _ call: TestHomeserver.Call) async throws {
    try await TestPhone.survives { phone, homeserver in
      homeserver.damage(call) { _ in hostile.answer }
      homeserver.append(
        [
          "msgtype": "m.text", "body": "* b", "m.new_content": ["msgtype": "m.text", "body": "b"],
          "m.relates_to": ["rel_type": "m.replace", "event_id": "$1"],
        ], type: "m.room.message", sender: TestHomeserver.bob)
      homeserver.append(
        ["membership": "join"], type: "m.room.member", sender: "@carol:example.org",
        stateKey: "@carol:example.org")
      homeserver.post("next")
      let texts = try await phone.received("next")
      #expect(texts.count == 4)
      #expect(homeserver.requests(call) < 100)
    }
  }

  @Test("The members of a room with 2,000 members are not stored")
  func members() async throws {
    try await TestPhone.survives { phone, homeserver in
      homeserver.damage(.members) { _ in
        let members = (0..<2000).map { number -> JSONValue in
          ["type": "m.room.member", "state_key": .string("@u\(number):a"), "content": ["membership": "join"]]
        }
        return .json(["chunk": .array(members)])
      }
      homeserver.append(
        ["membership": "join"], type: "m.room.member", sender: "@carol:example.org",
        stateKey: "@carol:example.org")
      homeserver.post("next")
      try await phone.received("next")
      let members = try await phone.client.members(of: phone.chat.conversation)
      #expect(members.isEmpty)
    }
  }

  @Test(
    "A damaged answer to a sign-in opens no session, and the error says what came",
    arguments: HostileAnswer.everywhere)
  func login(_ hostile: HostileAnswer) async throws {
    let homeserver = TestHomeserver()
    try await homeserver.run { url in
      homeserver.damage(.login) { _ in hostile.answer }
      let accounts = MatrixAccounts(homeserver: url)
      let error = await #expect(throws: BackendError.self) {
        try await accounts.signIn("alice", password: "secret")
      }
      let message = error?.message ?? ""
      #expect(message.contains("POST v3/login") && message.contains(hostile.problem), "\(message)")
      homeserver.damage(.login, nil)
      let session = try await accounts.signIn("alice", password: "secret")
      #expect(session.user == "@alice:example.org")
    }
  }

  @Test("A sign-in without a user, a device or a token opens no session")
  func incompleteLogin() async throws {
    let homeserver = TestHomeserver()
    try await homeserver.run { url in
      for field in ["user_id", "device_id", "access_token"] {
        for value: JSONValue? in [nil, 7, "", [:]] {
          homeserver.damage(.login) { answer in answer.changing { $0[field] = value } }
          let error = await #expect(throws: BackendError.self) {
            try await MatrixAccounts(homeserver: url).signIn("alice", password: "secret")
          }
          #expect(error?.message.contains(field) == true)
        }
      }
    }
  }

  @Test("A damaged download leaves no file, and the next one is complete")
  func download() async throws {
    try await withFolder { folder in
      let endless = folder.appending(path: "endless")
      try Data().write(to: endless)
      try FileHandle(forWritingTo: endless).truncate(atOffset: 1 << 40)
      let source = folder.appending(path: "source")
      try Data("a file".utf8).write(to: source)
      let downloads = folder.appending(path: "downloads")
      try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
      let answers = [
        TransportAnswer(status: 200), TransportAnswer(status: 200, body: Array("a fi".utf8)),
        TransportAnswer(status: 200, body: Array("<html>A page of a proxy</html>".utf8)),
        TransportAnswer(status: 200, headers: [("X-File", endless.path)]),
        TransportAnswer(status: 302), TransportAnswer(status: 404, body: Array("<html>".utf8)),
      ]
      try await TestPhone.survives { phone, homeserver in
        let media = try await phone.backend.upload(
          .reading(LocalFile(url: source, type: "text/plain")), resuming: nil
        ) { _ in }
        let target = downloads.appending(path: "target")
        for answer in answers {
          homeserver.damage(.download) { _ in answer }
          await #expect(throws: BackendError.self) { try await phone.backend.download(media, to: target) }
          #expect(try FileManager.default.contentsOfDirectory(atPath: downloads.path).isEmpty)
        }
        homeserver.damage(.download, nil)
        try await phone.backend.download(media, to: target)
        #expect(try Data(contentsOf: target) == Data("a file".utf8))
      }
    }
  }

  @Test("A damaged answer to an upload is an error that says what came", arguments: HostileAnswer.everywhere)
  func upload(_ hostile: HostileAnswer) async throws {
    try await withFolder { folder in
      let source = folder.appending(path: "source")
      try Data("a file".utf8).write(to: source)
      let homeserver = TestHomeserver()
      try await homeserver.run { url in
        homeserver.damage(.upload) { _ in hostile.answer }
        let error = await #expect(throws: BackendError.self) {
          try await MatrixBackend(MatrixSession(at: url)).upload(
            .reading(LocalFile(url: source, type: "text/plain")), resuming: nil
          ) { _ in }
        }
        let message = error?.message ?? ""
        #expect(message.contains("POST media/v3/upload") && message.contains(hostile.problem), "\(message)")
      }
    }
  }
}
