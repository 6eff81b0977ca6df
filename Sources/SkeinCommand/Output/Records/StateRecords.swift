import Skein

// Records of the client's state. Fields that are absent are nil.

struct ConnectionRecord: Codable, Equatable, Sendable {
  enum State: String, Codable, Sendable {
    case stopped, connecting, online, offline, elsewhere, signedOut
  }
  var state: State
  /// Why the account is signed out.
  var reason: String?

  init(_ connection: ConnectionState) {
    switch connection {
    case .stopped: state = .stopped
    case .connecting: state = .connecting
    case .online: state = .online
    case .offline: state = .offline
    case .elsewhere: state = .elsewhere
    case .signedOut(let reason): (state, self.reason) = (.signedOut, reason.message)
    }
  }
}

struct SyncRecord: Codable, Equatable, Sendable {
  enum State: String, Codable, Sendable {
    case caughtUp, failed
  }
  var state: State
  /// Why catching up failed.
  var reason: String?

  init(_ standing: SyncStanding) {
    switch standing {
    case .caughtUp: state = .caughtUp
    case .failed(let reason): (state, self.reason) = (.failed, reason)
    }
  }
}

/// A file was saved.
struct SavedRecord: Codable, Equatable, Sendable {
  var path: String
  /// In bytes.
  var size: Int64
}

/// A request that could not be carried out, or a fault of a plugin.
struct ProblemRecord: Codable, Equatable, Sendable {
  var reason: String
  /// The name of the plugin (`MessageCardPlugin.business`); nil if no plugin is at fault.
  var business: String?
  /// The code of the plugin's problem; nil if no plugin is at fault.
  var state: String?
}
