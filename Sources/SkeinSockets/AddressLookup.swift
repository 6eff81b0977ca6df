#if os(Linux)
  import Dispatch
  import Glibc
  import Synchronization

  /// Resolves host names off the service thread, since a slow name server would block that thread.
  enum AddressLookup {
    /// Returns the numeric addresses of a host, in the order in which to try the addresses.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled; ``SocketError`` `.cannotConnect` if
    ///   the host has no address.
    static func addresses(of host: String) async throws -> [String] {
      let waiting = Mutex<CheckedContinuation<[String], any Error>?>(nil)
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          waiting.withLock { $0 = continuation }
          if Task.isCancelled {
            waiting.withLock { $0.take() }?.resume(throwing: CancellationError())
          }
          DispatchQueue.global().async {
            let result = find(host)
            waiting.withLock { $0.take() }?.resume(with: result)
          }
        }
      } onCancel: {
        waiting.withLock { $0.take() }?.resume(throwing: CancellationError())
      }
    }

    private static func find(_ host: String) -> Result<[String], any Error> {
      var hints = addrinfo()
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      hints.ai_flags = AI_ADDRCONFIG
      var list: UnsafeMutablePointer<addrinfo>?
      let failure = getaddrinfo(host, nil, &hints, &list)
      defer { if let list { freeaddrinfo(list) } }
      var addresses: [String] = []
      var next = failure == 0 ? list : nil
      while let entry = next {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        if getnameinfo(
          entry.pointee.ai_addr, entry.pointee.ai_addrlen, &name, socklen_t(name.count), nil, 0,
          NI_NUMERICHOST) == 0
        {
          addresses.append(
            String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
        next = entry.pointee.ai_next
      }
      guard addresses.isEmpty else { return .success(addresses) }
      let reason = gai_strerror(failure).map { String(cString: $0) } ?? "no address"
      return .failure(SocketError(.cannotConnect, "The host can't be resolved: \(reason)."))
    }
  }
#endif
