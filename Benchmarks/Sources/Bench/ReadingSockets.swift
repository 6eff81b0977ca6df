import CReference
import Foundation

/// WebSockets to a server on this machine, implemented in C. The sockets read what the server sends, and send
/// no messages.
final class ReadingSockets {
  private let sockets: OpaquePointer

  init(port: Int) throws {
    guard let sockets = sockets_make(Int32(port)) else { throw BenchError("There are no sockets.") }
    self.sockets = sockets
  }

  deinit { sockets_close(sockets) }

  /// The number of sockets that this process may have open. The server may have as many.
  static func most() throws -> Int {
    let files = Int(raise_open_files())
    guard files > 400 else { throw BenchError("This process may not open enough files.") }
    // The rest is for databases, pipes and requests.
    return files - 200
  }

  /// Opens `count` further sockets. The sockets use the tokens in turn.
  func open(_ count: Int, as tokens: [String]) throws {
    let strings = tokens.map { UnsafePointer<CChar>(strdup($0)) }
    defer { for string in strings { free(UnsafeMutablePointer(mutating: string)) } }
    guard sockets_open(sockets, strings, Int32(strings.count), Int32(count)) == 0 else {
      throw BenchError("The server refused a socket.")
    }
  }

  /// Sends a pong on each socket, so that the server sends no ping for half a minute. Then waits until
  /// nothing arrives for 0.3 s.
  func settle() throws {
    guard sockets_settle(sockets) == 0 else { throw BenchError("The server closed a socket.") }
  }

  /// The milliseconds until a post returns, and until `members` sockets are poked.
  func post(_ id: String, to chat: String, token: String, members: Int) throws -> (
    returns: Double, last: Double
  ) {
    var (returned, last): (Int64, Int64) = (0, 0)
    guard sockets_post(sockets, token, chat, id, Int32(members), &returned, &last) == 0 else {
      throw BenchError("The server refused a post, or has not poked everybody.")
    }
    return (Double(returned) / 1e6, Double(last) / 1e6)
  }
}
