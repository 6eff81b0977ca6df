#if os(Linux)
  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  extension WebSocket {
    /// The service for all client connections of the process, started with the first connection.
    private static let service = SharedService()

    static func open(
      _ url: URL, headers: HTTPHeaders, options: WebSocketOptions
    ) async throws -> any WebSocketConnection {
      let target = try WebSocketTarget(url)
      guard headers.areValid else {
        throw SocketError(.invalidArgument, "A header field has an invalid character.")
      }
      try Task.checkCancellation()
      let addresses = try await AddressLookup.addresses(of: target.name)
      let service = try await service.get()
      for address in addresses.dropLast() {
        do {
          return try await open(target, at: address, service, headers, options)
        } catch let error as SocketError where [.cannotConnect, .timedOut].contains(error.code) {
          continue
        }
      }
      return try await open(target, at: addresses[addresses.count - 1], service, headers, options)
    }

    private static func open(
      _ target: WebSocketTarget, at address: String, _ service: SocketService, _ headers: HTTPHeaders,
      _ options: WebSocketOptions
    ) async throws -> any WebSocketConnection {
      let id = service.newID()
      let opening = WebSocketOpening(service: service, id: id, headers: headers, options: options)
      service.register(opening, id)
      return try await opening.open(target, at: address)
    }

    private actor SharedService {
      private var starting: Task<SocketService, any Error>?

      func get() async throws -> SocketService {
        let task =
          starting
          ?? Task {
            try await SocketService.start(.init()) { service, id in
              ServiceWebSocket(service: service, id: id, options: .init())
            }.service
          }
        starting = task
        do {
          return try await task.value
        } catch {
          starting = nil
          throw error
        }
      }
    }
  }
#endif
