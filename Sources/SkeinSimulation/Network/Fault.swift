/// A fault in a simulated world.
public enum SimulatedFault: String, CaseIterable, Sendable {
  /// The request does not reach the server. The client learns of the loss late or never.
  case requestLost = "request lost"
  /// The server has performed the request, but the client receives no response.
  case responseLost = "response lost"
  /// The request arrives late and the client gives up, so that a later request may overtake the late request.
  case overtaken = "request overtaken"
  /// The request or its answer is delayed by up to 50 seconds.
  case delayed = "delay"
  /// The server receives the request twice.
  case duplicated = "duplicated request"
  /// The server asks the client to retry later.
  case busy = "server busy"
  /// The server refuses a message.
  case refused = "refusal"
  /// An answer has a form that the contract does not allow.
  case oddAnswer = "odd answer"
  /// An upload ends halfway.
  case uploadCut = "upload cut"
  /// A push does not arrive.
  case pokeLost = "push lost"
  /// A push is delayed by up to 90 seconds. Later pushes wait for the delayed push.
  case pokeLate = "push late"
  /// A push arrives twice.
  case pokeDoubled = "duplicated push"
  /// A push lacks some of its messages.
  case pushTorn = "incomplete push"
  /// The connection breaks and stays down for a while.
  case disconnected = "disconnect"
  /// Requests succeed, but pushes do not arrive.
  case halfOpen = "half-open push"
  /// The token expires, and the client must renew the session.
  case tokenExpired = "token expired"
  /// The server does not accept the session for a while.
  case unauthorized = "session ended"
  /// The server is restored from a backup and loses all later changes.
  case setBack = "server reset"
  /// The disk is full for a while.
  case diskFull = "disk full"
  /// Some of the reads from the disk fail for a while.
  case unreadable = "failing reads"
  /// The wall clock jumps.
  case clockJump = "clock jump"
  /// The process is killed between two jobs.
  case crash = "crash"
  /// The process is killed at a statement of its database, and the writes that are not synchronized are lost.
  case powerCut = "power cut"
  /// The process is killed at a statement of its database.
  case crashAtStatement = "crash at a statement"
  /// The process is killed while it opens its database.
  case crashWhileOpening = "crash while opening"
}

/// The activity of a client when a fault strikes.
public enum SimulatedActivity: String, CaseIterable, Sendable {
  /// The database is being opened.
  case opening = "opening the database"
  /// A file is being uploaded.
  case uploading = "uploading"
  /// A message is being sent.
  case posting = "posting"
  /// Several messages are being sent together.
  case pipelining = "posting together"
  /// A message was sent over the push channel, and its ACK has not arrived.
  case acknowledging = "waiting for the ACK"
  /// New changes or contacts are being fetched.
  case catchingUp = "catching up"
  /// A page of a conversation's history is being fetched.
  case loading = "loading history"
  /// The server is being asked to open a conversation, or to remove the user from a group.
  case founding = "opening a chat"
  /// A read mark, a delivery or typing is being reported to the server.
  case marking = "marking read"
  /// A message is being edited, recalled, reacted to, pinned or starred on the server.
  case revising = "revising"
  /// The push channel is being opened, or the session is being renewed.
  case connecting = "connecting"
  /// No request is in flight.
  case idle = "idle"
  /// There is no network.
  case offline = "offline"
  /// The client was stopped, or is not running.
  case stopped = "stopped"
}

extension SimulatedFault {
  /// Whether a fault can strike during an activity. The table of faults and activities marks each possible
  /// pair that has not occurred.
  public func canOccur(during activity: SimulatedActivity) -> Bool {
    let isRequest = SimulatedActivity.requests.contains(activity)
    return switch self {
    case .requestLost, .responseLost, .delayed, .busy: isRequest
    case .overtaken: [.posting, .founding, .marking, .revising].contains(activity)
    case .duplicated: [.posting, .founding, .marking, .revising, .uploading].contains(activity)
    case .refused: activity == .posting
    case .uploadCut: activity == .uploading
    case .oddAnswer: activity == .catchingUp || activity == .loading
    case .pokeLost, .pokeLate, .pokeDoubled, .pushTorn:
      (isRequest && activity != .connecting) || [.idle, .acknowledging, .pipelining].contains(activity)
    case .crashWhileOpening: activity == .opening
    case .setBack: activity != .opening
    case .disconnected, .halfOpen, .tokenExpired, .unauthorized, .diskFull, .unreadable, .clockJump,
      .crash, .powerCut, .crashAtStatement:
      true
    }
  }
}

/// How often the story chooses each fault for a device. The faults of single requests and pushes have weight
/// 0, since `Weather` has their frequency. The weight of `setBack` is 0 as well, since the story resets the
/// server at a planned step.
extension SimulatedFault: Weighted {
  var weight: Int {
    switch self {
    case .disconnected, .halfOpen, .tokenExpired, .unauthorized, .diskFull, .unreadable, .clockJump,
      .crashWhileOpening:
      1
    case .crash, .crashAtStatement, .powerCut: 2
    case .requestLost, .responseLost, .overtaken, .delayed, .duplicated, .busy, .refused, .oddAnswer,
      .uploadCut, .pokeLost, .pokeLate, .pokeDoubled, .pushTorn, .setBack:
      0
    }
  }
}

extension SimulatedActivity {
  /// The activities that are requests to the server.
  static let requests: [SimulatedActivity] = [
    .uploading, .founding, .revising, .posting, .loading, .marking, .catchingUp, .connecting,
  ]
  /// The activities that may be in progress, the rarest first.
  static let underWay = [.pipelining] + requests + [.acknowledging]
}

/// How often each fault of a single request or push strikes, in a thousand.
struct Weather: Sendable {
  private var shares: [SimulatedFault: Int] = [:]

  /// Nothing goes wrong.
  static let calm = Weather()

  /// Draws some of the faults, and how often each of these faults strikes.
  static func drawn(from generator: inout SplitMix) -> Weather {
    var weather = Weather()
    let ofRequests: [SimulatedFault] = [
      .requestLost, .responseLost, .overtaken, .delayed, .duplicated, .busy, .refused, .uploadCut, .pokeLost,
      .pokeLate, .pokeDoubled, .pushTorn, .oddAnswer,
    ]
    for fault in ofRequests where generator.happens(perMille: 600) {
      weather.shares[fault] = 5 + generator.below(fault == .refused ? 40 : 120)
    }
    return weather
  }

  subscript(fault: SimulatedFault) -> Int { shares[fault] ?? 0 }
}
