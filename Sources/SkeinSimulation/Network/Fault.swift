/// What can go wrong in a simulated world.
public enum SimulatedFault: String, CaseIterable, Sendable {
  /// Nothing reaches the server, and the client hears of it late or never.
  case requestLost = "request lost"
  /// The server has done it, and the client does not hear of it.
  case responseLost = "response lost"
  /// The request arrives after the client has given it up, so that a later one overtakes it.
  case overtaken = "request overtaken"
  /// It takes up to minutes.
  case delayed = "delay"
  /// The server gets it twice.
  case duplicated = "duplicated request"
  /// The server asks for patience.
  case busy = "server busy"
  /// The server does not take a message.
  case refused = "refusal"
  /// An upload ends halfway.
  case uploadCut = "upload cut"
  /// A push does not arrive.
  case pokeLost = "push lost"
  /// A push comes after up to minutes, and what is pushed next after it.
  case pokeLate = "push late"
  /// A push comes twice.
  case pokeDoubled = "push doubled"
  /// Of what a push brings, messages are missing.
  case pushTorn = "torn push"
  /// The connection breaks, and there is none for a while.
  case disconnected = "disconnect"
  /// Requests get through and pushes do not.
  case halfOpen = "half-open push"
  /// The server wants the session renewed.
  case tokenExpired = "token expired"
  /// The server does not accept the session for a while.
  case unauthorized = "session ended"
  /// The server goes back to a backup, and has lost what came since.
  case setBack = "server set back"
  /// There is no room on the disk for a while.
  case diskFull = "disk full"
  /// The wall clock jumps.
  case clockJump = "clock jump"
  /// The process is killed between two steps.
  case crash = "crash"
  /// The process is killed at a statement of its database.
  case crashAtStatement = "crash at a statement"
  /// The process is killed while it opens its database.
  case crashWhileOpening = "crash while opening"
}

/// What a client was doing when a fault struck.
public enum SimulatedActivity: String, CaseIterable, Sendable {
  /// Its database is being opened.
  case opening = "opening the database"
  /// A file is on its way.
  case uploading = "uploading"
  /// A message is on its way.
  case posting = "posting"
  /// A message has gone out over the push channel, and its ACK has not come.
  case acknowledging = "waiting for the ACK"
  /// What is new is being fetched.
  case catchingUp = "catching up"
  /// Older messages are being fetched.
  case loading = "loading history"
  /// The server is being asked to open a conversation.
  case founding = "founding a chat"
  /// The server is being told what was read.
  case marking = "marking read"
  /// A message is being edited, recalled, reacted to or pinned on the server.
  case revising = "revising"
  /// The push channel is being opened.
  case connecting = "connecting"
  /// Nothing is under way.
  case idle = "idle"
  /// There is no network.
  case offline = "offline"
  /// It was stopped, or is not running.
  case stopped = "stopped"
}

extension SimulatedFault {
  /// Whether a fault can strike during an activity: the table of what met what has no other cells.
  public func canStrike(during activity: SimulatedActivity) -> Bool {
    let isRequest = SimulatedActivity.requests.contains(activity)
    return switch self {
    case .requestLost, .responseLost, .delayed, .busy: isRequest
    case .overtaken: [.posting, .founding, .marking, .revising].contains(activity)
    case .duplicated: [.posting, .founding, .marking, .revising, .uploading].contains(activity)
    case .refused: activity == .posting
    case .uploadCut: activity == .uploading
    case .pokeLost, .pokeLate, .pokeDoubled, .pushTorn:
      (isRequest && activity != .connecting) || [.idle, .acknowledging].contains(activity)
    case .crashWhileOpening: activity == .opening
    case .setBack: activity != .opening
    case .disconnected, .halfOpen, .tokenExpired, .unauthorized, .diskFull, .clockJump, .crash,
      .crashAtStatement:
      true
    }
  }
}

/// How often each fault of a device strikes; faults of a single request are drawn by the weather.
extension SimulatedFault: Weighted {
  var weight: Int {
    switch self {
    case .disconnected, .halfOpen, .tokenExpired, .unauthorized, .diskFull, .clockJump, .crashWhileOpening: 1
    case .crash, .crashAtStatement: 2
    case .requestLost, .responseLost, .overtaken, .delayed, .duplicated, .busy, .refused, .uploadCut,
      .pokeLost, .pokeLate, .pokeDoubled, .pushTorn, .setBack:
      0
    }
  }
}

extension SimulatedActivity {
  /// What asks something of the server.
  static let requests: [SimulatedActivity] = [
    .uploading, .founding, .revising, .posting, .loading, .marking, .catchingUp, .connecting,
  ]
  /// What may be under way, the rarest first.
  static let underWay = requests + [.acknowledging]
}

/// How often each fault of a single request strikes, in a thousand requests.
struct Weather: Sendable {
  private var shares: [SimulatedFault: Int] = [:]

  /// Nothing goes wrong.
  static let calm = Weather()

  /// Each seed has some of the faults, and each of those as often as it likes.
  static func drawn(from generator: inout SplitMix) -> Weather {
    var weather = Weather()
    let ofRequests: [SimulatedFault] = [
      .requestLost, .responseLost, .overtaken, .delayed, .duplicated, .busy, .refused, .uploadCut, .pokeLost,
      .pokeLate, .pokeDoubled, .pushTorn,
    ]
    for fault in ofRequests where generator.happens(perMille: 600) {
      weather.shares[fault] = 5 + generator.below(fault == .refused ? 40 : 120)
    }
    return weather
  }

  subscript(fault: SimulatedFault) -> Int { shares[fault] ?? 0 }
}
