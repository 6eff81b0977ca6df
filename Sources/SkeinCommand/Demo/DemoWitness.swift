import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads the server with bare HTTP requests, to hold against what the clients show; it shares no code with them.
actor DemoWitness {
  /// A message as the server has it.
  struct Message: Decodable, Sendable {
    let id: String
    let position: Int
    let sender: String
    let kind: String
    let content: String
  }
  private struct Session: Decodable { let token: String }
  private struct Page: Decodable {
    let messages: [Message]
    let reachesEnd: Bool
  }
  private struct Sync: Decodable {
    struct Change: Decodable { let conversation: Conversation }
    struct Conversation: Decodable {
      let id: String
      let peer: String?
    }
    let conversations: [Change]
  }

  private let server: String
  private let user: String
  private let password: String
  private var token: String?

  /// Will look at the server through a user's eyes.
  init(server: String, user: String, password: String) {
    self.server = server
    self.user = user
    self.password = password
  }

  /// Every message with somebody, by position.
  ///
  /// - Throws: ``DemoFailure`` also when positions are missing or come twice.
  func history(with peer: String) async throws -> [Message] {
    let changes = try await get("sync?limit=1", as: Sync.self).conversations
    guard let conversation = changes.first(where: { $0.conversation.peer == peer })?.conversation else {
      return []
    }
    var messages: [Message] = []
    while true {
      let after = messages.last?.position ?? 0
      let page = try await get(
        "conversations/\(conversation.id)/messages?after=\(after)&limit=200", as: Page.self)
      messages += page.messages
      if page.reachesEnd || page.messages.isEmpty { break }
    }
    guard messages.map(\.position).elementsEqual((0..<messages.count).map { $0 + 1 }) else {
      throw DemoFailure("the server's positions are not 1 to \(messages.count)")
    }
    return messages
  }

  private func get<Answer: Decodable>(_ path: String, as type: Answer.Type) async throws -> Answer {
    var request = try request(path)
    request.setValue("Bearer \(try await signIn())", forHTTPHeaderField: "Authorization")
    return try await perform(request)
  }

  private func signIn() async throws -> String {
    if let token { return token }
    var request = try request("sessions")
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(["user": user, "password": password, "device": "witness"])
    let session: Session = try await perform(request)
    token = session.token
    return session.token
  }

  private func request(_ path: String) throws -> URLRequest {
    guard let url = URL(string: "\(server)/v1/\(path)") else { throw DemoFailure("no address: \(path)") }
    return URLRequest(url: url, timeoutInterval: 10)
  }

  private func perform<Answer: Decodable>(_ request: URLRequest) async throws -> Answer {
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200..<300).contains(status) else {
      throw DemoFailure("the server answered \(status) to a bare request")
    }
    return try JSONDecoder().decode(Answer.self, from: data)
  }
}
