extension EventRecord: Codable {
  private enum Name: String, Codable {
    case connection, sync, conversation, list, opened, message, gap, reloaded, offers, opens, stored, standing
    case waiting, found, flagged, cancelled, page, saved, read, receipt, retried, problem, ended
  }

  private enum Key: String, CodingKey {
    case event, count, offers, waiting, found, flag
  }

  /// The fields of a record in a list, with the name of its event.
  private struct Named<Fields: Encodable>: Encodable {
    let name: Name
    let fields: Fields

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(name, forKey: .event)
      try fields.encode(to: encoder)
    }
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    switch try values.decode(Name.self, forKey: .event) {
    case .connection: self = .connection(try ConnectionRecord(from: decoder))
    case .sync: self = .sync(try SyncRecord(from: decoder))
    case .conversation:
      self = .conversation(try StepRecord(from: decoder), try ConversationRecord(from: decoder))
    case .list: self = .list(count: try values.decode(Int.self, forKey: .count))
    case .opened: self = .opened(try OpenedRecord(from: decoder))
    case .message: self = .message(try StepRecord(from: decoder), try MessageRecord(from: decoder))
    case .gap: self = .gap(try StepRecord(from: decoder), try GapRecord(from: decoder))
    case .reloaded: self = .reloaded(try ReloadedRecord(from: decoder))
    case .offers: self = .offers(try values.decode([OfferRecord].self, forKey: .offers))
    case .opens: self = .opens(try PageOfAppRecord(from: decoder))
    case .stored: self = .stored(try StoredRecord(from: decoder))
    case .standing: self = .standing(try StandingRecord(from: decoder))
    case .waiting: self = .waiting(try values.decode([StandingRecord].self, forKey: .waiting))
    case .found: self = .found(try values.decode([MessageRecord].self, forKey: .found))
    case .flagged:
      self = .flagged(
        try values.decode(String.self, forKey: .flag),
        try values.decode([FlaggedRecord].self, forKey: .found))
    case .cancelled: self = .cancelled(try CancelledRecord(from: decoder))
    case .page: self = .page(try PageRecord(from: decoder))
    case .saved: self = .saved(try SavedRecord(from: decoder))
    case .read: self = .read
    case .receipt: self = .receipt(try ReceiptRecord(from: decoder))
    case .retried: self = .retried(count: try values.decode(Int.self, forKey: .count))
    case .problem: self = .problem(try ProblemRecord(from: decoder))
    case .ended: self = .ended(count: try values.decode(Int.self, forKey: .count))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    func encode(_ name: Name, _ parts: any Encodable...) throws {
      try values.encode(name, forKey: .event)
      // The parts share one flat object.
      for part in parts { try part.encode(to: encoder) }
    }
    func encode(_ name: Name, count: Int) throws {
      try encode(name)
      try values.encode(count, forKey: .count)
    }
    switch self {
    case .connection(let fields): try encode(.connection, fields)
    case .sync(let fields): try encode(.sync, fields)
    case .conversation(let step, let fields): try encode(.conversation, step, fields)
    case .list(let count): try encode(.list, count: count)
    case .opened(let fields): try encode(.opened, fields)
    case .message(let step, let fields): try encode(.message, step, fields)
    case .gap(let step, let fields): try encode(.gap, step, fields)
    case .reloaded(let fields): try encode(.reloaded, fields)
    case .offers(let offers):
      try encode(.offers, count: offers.count)
      try values.encode(offers, forKey: .offers)
    case .opens(let fields): try encode(.opens, fields)
    case .stored(let fields): try encode(.stored, fields)
    case .standing(let fields): try encode(.standing, fields)
    case .waiting(let standings):
      try encode(.waiting, count: standings.count)
      try values.encode(standings.map { Named(name: .standing, fields: $0) }, forKey: .waiting)
    case .found(let messages):
      try encode(.found, count: messages.count)
      try values.encode(messages.map { Named(name: .message, fields: $0) }, forKey: .found)
    case .flagged(let flag, let messages):
      try encode(.flagged, count: messages.count)
      try values.encode(flag, forKey: .flag)
      try values.encode(messages.map { Named(name: .message, fields: $0) }, forKey: .found)
    case .cancelled(let fields): try encode(.cancelled, fields)
    case .page(let fields): try encode(.page, fields)
    case .saved(let fields): try encode(.saved, fields)
    case .read: try encode(.read)
    case .receipt(let fields): try encode(.receipt, fields)
    case .retried(let count): try encode(.retried, count: count)
    case .problem(let fields): try encode(.problem, fields)
    case .ended(let count): try encode(.ended, count: count)
    }
  }
}
