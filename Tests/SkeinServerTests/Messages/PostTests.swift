import SkeinServer
import SkeinWire
import Testing

struct PostTests {
  @Test(
    "A repeated post has the same receipt; a refusal of other content for its id has the stored message")
  func idempotent() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let first: Wire.MessageReceipt = try await ann.message("m1", "{\"text\":\"é\"}", to: id).expect(201)
        .decoded()
      #expect(first.position == 1)
      #expect(first.time == server.clock.now)
      server.clock.advance(by: 5000)
      #expect(try await ann.message("m1", "{\"text\":\"é\"}", to: id).expect(200).decoded() == first)

      // Content that is equal as a Swift string but has other bytes; another kind; other content.
      for (content, kind) in [
        ("{\"text\":\"e\u{301}\"}", "text"), ("{\"text\":\"é\"}", "image"), ("{}", "text"),
      ] {
        let conflict = try await ann.message("m1", content, kind: kind, to: id).expect(409, .idInUse)
        #expect(conflict.message?.content == "{\"text\":\"é\"}")
        #expect(conflict.message?.position == 1)
      }
      let other: Wire.MessageReceipt = try await bo.message("m1", "{}", to: id).expect(201).decoded()
      #expect(other.position == 2)
      #expect(other.serverID != first.serverID)
      let elsewhere = try await ann.group("g").id
      try await ann.message("m1", "{}", to: elsewhere).expect(201)
      #expect(try await ann.history(id).messages.map(\.sender) == ["ann", "bo"])
    }
  }

  @Test(
    "A new message is refused until the message named in its `after` is stored; a repeated one is accepted")
  func after() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let path = "conversations/\(id)/messages"
      func body(_ id: String, after: String) -> [String: String] {
        ["id": id, "kind": "text", "content": "{}", "after": after]
      }
      try await ann.post(path, body("m2", after: "m1")).expect(409, .outOfOrder)
      try await bo.message("m1", to: id).expect(201)
      try await ann.post(path, body("m2", after: "m1")).expect(409, .outOfOrder)
      try await ann.message("m1", to: id).expect(201)
      try await ann.post(path, body("m2", after: "m1")).expect(201)
      try await ann.post(path, body("m2", after: "gone")).expect(200)
      #expect(try await ann.history(id).messages.map(\.id) == ["m1", "m1", "m2"])
    }
  }

  @Test("A user who has left a group gets the same receipt for a repeated message; a new message is refused")
  func afterLeaving() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.group("g", ["bo"]).id
      let first: Wire.MessageReceipt = try await bo.message("m1", to: id).expect(201).decoded()
      try await bo.send("DELETE", "conversations/\(id)/membership").expect(204)
      #expect(try await bo.message("m1", to: id).expect(200).decoded() == first)
      try await bo.message("m1", "{\"other\":1}", to: id).expect(404, .notFound)
      try await bo.message("m2", to: id).expect(404, .notFound)
      #expect(try await ann.history(id).messages.map(\.id) == ["m1"])
    }
  }

  @Test(
    "Parameters are returned as posted, compared in a repeated post, and count towards the size of content"
  )
  func parameters() async throws {
    try await TestServer.run({ $0.limits.content = 100 }) { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      let parameters = ["b": "e\u{301}", "a": "", "\u{1F600}\"": "\u{0}"]
      try await ann.message("m1", parameters: parameters, to: id).expect(201)
      try await ann.message("m1", parameters: parameters, to: id).expect(200)
      for other in [[:], ["b": "é", "a": "", "\u{1F600}\"": "\u{0}"]] {
        let conflict = try await ann.message("m1", parameters: other, to: id).expect(409, .idInUse)
        #expect(conflict.message?.parameters == parameters)
      }
      try await ann.message("m2", to: id).expect(201)
      #expect(try await ann.history(id).messages.map(\.parameters) == [parameters, nil])
      #expect(try await ann.sync().conversations.first?.messages.map(\.parameters) == [parameters, nil])
      let long = ["a": String(repeating: "x", count: 100)]
      try await ann.message("m3", parameters: long, to: id).expect(413, .tooLarge)
      let path = "conversations/\(id)/messages"
      try await ann.post(path, ["id": "m4", "kind": "text", "content": "{}", "parameters": "{}"])
        .expect(400, .badJSON)
    }
  }

  @Test("Content is returned byte for byte")
  func bytes() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      let contents = [
        "{\"b\":1,  \"a\" : 2}", "\"e\u{301}\"", "\"é\"", "[1e999,-0,12345678901234567890123]", " null\n",
        "\"\\u0000\\ud800\"", "\"👨‍👩‍👧‍👦\u{202E}\"",
      ]
      for (number, content) in contents.enumerated() {
        try await ann.message("\(number)", content, to: id).expect(201)
      }
      let stored = try await ann.history(id).messages.map { Array($0.content.utf8) }
      #expect(stored == contents.map { Array($0.utf8) })
      for (number, content) in contents.enumerated() {
        try await ann.message("\(number)", content, to: id).expect(200)
      }
    }
  }

  @Test("Messages that fifty tasks post at once have dense positions and one receipt each")
  func concurrent() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let receipts = try await withThrowingTaskGroup(of: [Wire.MessageReceipt].self) { group in
        for sender in 0..<50 {
          group.addTask {
            var receipts: [Wire.MessageReceipt] = []
            for number in 0..<10 {
              let client = sender.isMultiple(of: 2) ? ann : bo
              // Every third message is posted twice concurrently, as after a lost answer.
              async let again = number % 3 == 0 ? client.message("\(sender)-\(number)", to: id) : nil
              let receipt: Wire.MessageReceipt = try await client.message("\(sender)-\(number)", to: id)
                .decoded()
              if let again = try await again { #expect(try again.decoded() == receipt) }
              receipts.append(receipt)
            }
            return receipts
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for sender in receipts { #expect(sender.map(\.position) == sender.map(\.position).sorted()) }
      #expect(receipts.joined().map(\.position).sorted() == Array(1...500))
      #expect(Set(receipts.joined().map(\.serverID)).count == 500)
      var position: Int64 = 0
      while true {
        let page = try await bo.history(id, "after=\(position)&limit=200")
        #expect(page.messages.map(\.position) == Array(((position + 1)...).prefix(page.messages.count)))
        position += Int64(page.messages.count)
        if page.reachesEnd { break }
      }
      #expect(position == 500)
    }
  }

  @Test("Refused messages do not affect others that are posted at the same time")
  func neighbours() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo"),
        eve = try await server.user("eve")
      let id = try await ann.direct("bo").id
      try await ann.message("taken", "1", to: id).expect(201)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<60 {
          group.addTask {
            switch number % 3 {
            case 0: try await ann.message("\(number)", to: id).status
            case 1: try await ann.message("taken", "2", to: id).status
            default: try await eve.message("\(number)", to: id).status
            }
          }
        }
        return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(statuses == [201: 20, 409: 20, 404: 20])
      #expect(try await bo.direct("ann").head == 21)
    }
  }

  @Test("An invalid message is refused and not stored")
  func malformed() async throws {
    try await TestServer.run({ $0.limits.content = 1000 }) { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      try await ann.message("", to: id).expect(400, .badRequest)
      try await ann.message(String(repeating: "x", count: 129), to: id)
        .expect(400, .badRequest)
      try await ann.message("m", kind: "", to: id).expect(400, .badRequest)
      try await ann.message("m", "{\"by\":\"bo\"}", kind: "recalled", to: id).expect(400, .badRequest)
      try await ann.message("m", "{", to: id).expect(400, .badJSON)
      try await ann.message("m", String(repeating: "[", count: 500), to: id).expect(400, .badJSON)
      try await ann.message("m", "\"" + String(repeating: "x", count: 999) + "\"", to: id).expect(
        413, .tooLarge)
      try await ann.message("m", "\"" + String(repeating: "x", count: 998) + "\"", to: id).expect(201)
      #expect(try await ann.history(id).messages.count == 1)
    }
  }
}
