import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// HTTP requests of a user, without any code of the clients.
actor DemoRequests {
  private struct Session: Decodable { let token: String }

  private let server: String
  private let user: String
  private let password: String
  private var token: String?

  /// Stores the address and the account; sends nothing yet.
  init(server: String, user: String, password: String) {
    self.server = server
    self.user = user
    self.password = password
  }

  func get<Answer: Decodable>(_ path: String, as type: Answer.Type) async throws -> Answer {
    // The token may have expired, since the demo moves the server's clock.
    if let token, let data = try? await ask(path, token) { return try JSONDecoder().decode(type, from: data) }
    return try JSONDecoder().decode(type, from: await ask(path, signIn()))
  }

  private func ask(_ path: String, _ token: String) async throws -> Data {
    var request = try request(path)
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    return try await perform(request)
  }

  private func signIn() async throws -> String {
    let answer = try await perform(
      request("sessions", ["user": user, "password": password, "device": "bare requests"]))
    let session = try JSONDecoder().decode(Session.self, from: answer)
    token = session.token
    return session.token
  }

  /// A `POST` if there is a body, otherwise a `GET`.
  private func request(_ path: String, _ body: [String: String]? = nil) throws -> URLRequest {
    guard let url = URL(string: "\(server)/v1/\(path)") else { throw DemoFailure("no address: \(path)") }
    var request = URLRequest(url: url, timeoutInterval: 10)
    guard let body else { return request }
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(body)
    return request
  }

  private func perform(_ request: URLRequest) async throws -> Data {
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200..<300).contains(status) else {
      throw DemoFailure("the server answered \(status) to a bare request")
    }
    return data
  }
}
