import Foundation
import Skein
import SkeinCards
import SkeinTerminal

/// A typed line: a text to send or a command.
///
/// A number that counts messages leaves out the messages to which the command can't apply, such as recalled
/// messages.
enum Instruction: Equatable, Sendable {
  case send(String)
  case open(String)
  case group(title: String, members: [String])
  case list
  /// Accepts or declines the invitation to the group of this title or of the user of this name; nil is the only one.
  case answerInvitation(String?, accepts: Bool)
  case image(path: String)
  /// Sends a file as the kind that fits its content.
  case file(path: String)
  case location(latitude: Double, longitude: Double, name: String?)
  case poll(question: String, answers: [String])
  /// Sends the n-th failed or uncertain message of the chat again, counted from the top; nil sends all of
  /// them again.
  case retry(Int?)
  /// Cancels the n-th message of `/waiting`; nil is the open chat's last unsent message.
  case cancel(Int?)
  case waiting
  /// Replaces this account's last text message.
  case edit(String)
  /// Recalls this account's n-th message from the end; nil is the last.
  case recall(Int?)
  /// Adds or removes a reaction to the n-th message from the end; nil is the last.
  case react(String, Int?, isSet: Bool)
  /// Sets or removes a flag, such as a pin, of the n-th message from the end; nil is the last.
  case setFlag(MessageFlag, Int?, to: Bool)
  case listFlagged(FlagLabel)
  /// Replies to the n-th message from the end.
  case reply(Int, String)
  /// Lists the actions of the open chat's cards.
  case offers
  /// Performs the n-th listed action, with a typed value if there is one.
  case perform(Int, String?)
  /// Searches the messages of all chats.
  case search(String)
  case more
  case newer
  /// Jumps to a moment in this machine's time zone; nil is the end of the chat.
  case jump(DateComponents?)
  case save(path: String)
  /// Marks the chat of this name as read; nil is the open chat.
  case read(String?)
  /// Sets or removes a setting of the chat of this name; nil is the open chat.
  case set(ConversationSetting, of: String?, to: Bool)
  case help
  case quit
  /// An empty line.
  case nothing

  /// Parses a line. A text that begins with a slash is typed with two slashes.
  ///
  /// - Throws: ``UsageError`` for an unknown command, or a missing or invalid parameter.
  init(_ line: String) throws {
    guard line.hasPrefix("/"), !line.hasPrefix("//") else {
      let text = line.hasPrefix("//") ? String(line.dropFirst()) : line
      self = text.allSatisfy(\.isWhitespace) ? .nothing : .send(text)
      return
    }
    let command = line.prefix { !$0.isWhitespace }
    let rest = line.dropFirst(command.count).trimmed
    if let instruction = try Instruction(text: rest, after: command) {
      self = instruction
      return
    }
    let words = try Instruction.words(in: rest)
    func one(_ usage: String) throws -> String {
      guard words.count == 1 else { throw UsageError("Type \(usage).") }
      return words[0]
    }
    switch command {
    case "/open": self = .open(try one("/open USER, or /open \"TITLE\" for a group"))
    case "/group":
      guard words.count >= 2 else { throw UsageError("Type /group \"TITLE\" USER USER….") }
      self = .group(title: words[0], members: Array(words.dropFirst()))
    case "/list": self = .list
    case "/accept", "/decline":
      guard words.count < 2 else { throw UsageError("Type \(command), or \(command) \"NAME\"; see /list.") }
      self = .answerInvitation(words.first, accepts: command == "/accept")
    case "/image": self = .image(path: try one("/image PATH"))
    case "/send": self = .file(path: try one("/send PATH"))
    case "/poll":
      guard words.count >= 3 else { throw UsageError("Type /poll \"QUESTION\" ANSWER ANSWER….") }
      self = .poll(question: words[0], answers: Array(words.dropFirst()))
    case "/location": self = try Instruction.location(words)
    case "/retry": self = .retry(try words.first.map { try Instruction.ordinal($0, "/retry") })
    case "/cancel": self = .cancel(try words.first.map { try Instruction.ordinal($0, "/cancel") })
    case "/waiting": self = .waiting
    case "/recall": self = .recall(try words.first.map { try Instruction.ordinal($0, "/recall") })
    case "/react", "/unreact":
      guard (1...2).contains(words.count), !words[0].isEmpty else {
        throw UsageError("Type \(command) 👍, or \(command) 👍 N for the N-th message from the end.")
      }
      let number = try words.dropFirst().first.map { try Instruction.ordinal($0, "\(command) 👍") }
      self = .react(words[0], number, isSet: command == "/react")
    case "/more": self = .more
    case "/newer": self = .newer
    case "/jump": self = .jump(try rest.isEmpty ? nil : Instruction.date(words))
    case "/save": self = .save(path: try one("/save PATH"))
    case "/help": self = .help
    case "/quit": self = .quit
    default:
      guard let instruction = try Instruction(command, words) ?? Instruction(setting: command, words) else {
        throw UsageError("There is no \(SafeText.line(String(command))); see /help.")
      }
      self = instruction
    }
  }

  /// Parses a command that sets, removes or lists a flag; nil for another command.
  private init?(_ command: Substring, _ words: [String]) throws {
    for label in FlagLabel.all {
      switch command.dropFirst() {
      case label.verb[...], label.reverse[...]:
        let number = try words.first.map { try Instruction.ordinal($0, String(command)) }
        self = .setFlag(label.flag, number, to: command.dropFirst() == label.verb[...])
        return
      case label.state[...]:
        self = .listFlagged(label)
        return
      default: continue
      }
    }
    return nil
  }

  /// Parses a command that changes a setting of a chat, or marks a chat as read; nil for another command.
  private init?(setting command: Substring, _ words: [String]) throws {
    switch command {
    case "/mute", "/unmute": self = .set(.muted, of: words.first, to: command == "/mute")
    case "/pin-chat", "/unpin-chat": self = .set(.pinned, of: words.first, to: command == "/pin-chat")
    case "/unread": self = .set(.markedUnread, of: words.first, to: true)
    case "/read": self = .read(words.first)
    default: return nil
    }
    guard words.count < 2 else {
      throw UsageError("Type \(command) for the open chat, or \(command) \"NAME\"; see /list.")
    }
  }

  /// Parses a command whose text is not split into words and so may contain quotation marks; nil for another
  /// command.
  private init?(text: Substring, after command: Substring) throws {
    switch command {
    case "/edit":
      guard !text.isEmpty else {
        throw UsageError("Type /edit TEXT: it replaces your last text.")
      }
      self = .edit(String(text))
    case "/reply":
      let first = text.prefix { !$0.isWhitespace }, rest = text.dropFirst(first.count).trimmed
      guard let number = Int(first), number > 0, !rest.isEmpty else {
        throw UsageError("Type /reply N TEXT, for the N-th message from the end: /reply 1 Thank you!")
      }
      self = .reply(number, String(rest))
    case "/do":
      let first = text.prefix { !$0.isWhitespace }, rest = text.dropFirst(first.count).trimmed
      guard !text.isEmpty else {
        self = .offers
        return
      }
      guard let number = Int(first), number > 0 else {
        throw UsageError("Type /do to list the actions here, then /do N to perform the N-th.")
      }
      self = .perform(number, rest.isEmpty ? nil : String(rest))
    case "/search":
      guard !text.isEmpty else { throw UsageError("Type /search WORDS.") }
      self = .search(String(text))
    default: return nil
    }
  }

  private static func location(_ words: [String]) throws -> Instruction {
    guard words.count >= 2, let latitude = Double(words[0]), let longitude = Double(words[1]),
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    else {
      throw UsageError("Type /location LATITUDE LONGITUDE [NAME], in degrees: /location 52.52 13.40 Berlin.")
    }
    let name = words.dropFirst(2).joined(separator: " ")
    return .location(latitude: latitude, longitude: longitude, name: name.isEmpty ? nil : name)
  }

  private static func date(_ words: [String]) throws -> DateComponents {
    func numbers(_ word: String, _ separator: Character) -> [Int] {
      word.split(separator: separator, omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    }
    let day = numbers(words[0], "-"), time = words.count > 1 ? numbers(words[1], ":") : [0, 0]
    guard words.count <= 2, day.count == 3, time.count == 2, (1...9999).contains(day[0]),
      (1...12).contains(day[1]), (1...31).contains(day[2]), (0...23).contains(time[0]),
      (0...59).contains(time[1])
    else {
      throw UsageError("Type /jump 2026-11-21, /jump 2026-11-21 09:30, or /jump for the end of the chat.")
    }
    let date = DateComponents(year: day[0], month: day[1], day: day[2], hour: time[0], minute: time[1])
    guard date.isValidDate(in: Calendar(identifier: .gregorian)) else {
      throw UsageError("There is no such day as \(words[0]).")
    }
    return date
  }

  private static func ordinal(_ word: String, _ command: String) throws -> Int {
    guard let number = Int(word), number > 0 else {
      throw UsageError("Type \(command), or \(command) N for the N-th message; see /help.")
    }
    return number
  }

  /// Splits a text into words at spaces outside quotation marks.
  private static func words(in text: Substring) throws -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in text {
      switch character {
      case "\"":
        isQuoted.toggle()
        word = word ?? ""
      case _ where character.isWhitespace && !isQuoted:
        if let whole = word { words.append(whole) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if isQuoted { throw UsageError("A quotation mark is missing.") }
    return words + (word.map { [$0] } ?? [])
  }

  /// The text of `/help`.
  static let table = Help.columns(commands)

  private static let commands: [(String, String)] =
    [
      ("text", "send it to the open chat; //text begins with a slash, @bob mentions bob"),
      ("/open USER", "open the chat with USER, or a group by its title; \"#TITLE\" if a user has this name"),
      ("/group \"TITLE\" USER…", "make a group and open it"),
      ("/list", "show the conversations"),
      ("/accept [NAME]", "accept the invitation of a user, or to a group by its title; /decline refuses it"),
      ("/more", "show older messages"),
      ("/jump [DATE [TIME]]", "show the chat from 2026-11-21 09:30 on, or its end"),
      ("/newer", "show newer messages, after a /jump"),
      ("/read [NAME]", "mark the open chat, or the one of this name, as read"),
      ("/unread [NAME]", "mark it as unread until it is opened or read"),
      ("/mute [NAME]", "mute the open chat, or the one of this name; /unmute undoes it"),
      ("/pin-chat [NAME]", "list it above the chats that are not pinned; /unpin-chat undoes it"),
      ("/image PATH", "send a picture"),
      ("/send PATH", "send a file: a picture, a video, or any other"),
      ("/location LAT LON [NAME]", "send a place"),
      ("/poll \"QUESTION\" ANSWER…", "send a poll; /do votes"),
      ("/edit TEXT", "replace your last text"),
      ("/recall [N]", "recall your last message for everyone, or the N-th last"),
      ("/react 👍 [N]", "react to the last message, or the N-th last; /unreact undoes it"),
    ]
    + FlagLabel.all.flatMap { label in
      [
        (
          "/\(label.verb) [N]",
          "\(label.verb) the last message \(label.purpose), or the N-th last; /\(label.reverse) undoes it"
        ),
        ("/\(label.state)", "show the \(label.state) messages of \(label.scope)"),
      ]
    } + [
      ("/reply N TEXT", "reply to the N-th message from the end"),
      ("/do [N [TEXT]]", "list the actions of the messages here, or perform the N-th"),
      ("/search WORDS", "find messages in all chats, the newest first"),
      ("/save PATH", "save the last picture or file of the chat"),
      ("/waiting", "show the unsent messages of all chats, with the reasons"),
      ("/retry [N]", "send all failed messages again, or the N-th"),
      ("/cancel [N]", "cancel the chat's last unsent message, or the N-th of /waiting"),
      ("/help", "show this"),
      ("/quit", "quit; unsent messages are sent at the next start"),
    ]
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
