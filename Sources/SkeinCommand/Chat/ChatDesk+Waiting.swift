import Foundation
import Skein
import SkeinCards

extension ChatDesk {
  /// The largest number of unsent messages whose states are reported, about a screenful.
  private static let followed = 50

  /// Reports the states of the open chat's unsent messages while there are any.
  func followStandings() async {
    for await _ in client.sendStates {
      repeat {
        // A message that is sent at once needs no report.
        try? await Task.sleep(for: .milliseconds(250))
        await reportStandings()
      } while client.sendStatus.count > 0 && !Task.isCancelled
    }
  }

  private func reportStandings() async {
    let (status, now) = (client.sendStatus, Self.now)
    let own = shown.reversed().lazy.compactMap(\.message).filter { $0.isOwn && $0.status.isWaiting }
    let waiting = Array(own.prefix(Self.followed).reversed())
    let kinds = Dictionary(waiting.map { ($0.id, $0.kind) }, uniquingKeysWith: { first, _ in first })
    let before = reported
    reported = [:]
    var events: [ChatEvent] = []
    for message in waiting {
      guard let state = status.state(of: message.id),
        let standing = SendStanding(state, nextTry: status.nextTry, kindOf: { kinds[$0] })
      else { continue }
      let (last, text) = (before[message.id], standing.line(at: now))
      reported[message.id] = (standing, text)
      // A person must see the seconds pass. A script has received the time of the next attempt already.
      if last?.standing != standing || output.isRead && last?.text != text {
        events.append(.standing(message, standing, at: now))
      }
    }
    if !events.isEmpty { await output.show(events) }
  }

  /// Lists the unsent messages of all chats, without failed and uncertain messages. The numbers of the
  /// messages are valid until unsent messages are listed again.
  func listWaiting() async throws {
    let messages = try await client.waitingMessages()
    let status = client.sendStatus
    let kinds = Dictionary(messages.map { ($0.id, $0.kind) }, uniquingKeysWith: { first, _ in first })
    let names = Dictionary(
      client.conversations.conversations.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let waiting = messages.compactMap { message -> WaitingMessage? in
      let state = status.state(of: message.id) ?? .queued
      let standing =
        client.connectionState == .elsewhere
        ? .elsewhere : SendStanding(state, nextTry: status.nextTry, kindOf: { kinds[$0] })
      return standing.map {
        WaitingMessage(message: message, chat: names[message.conversation] ?? "", standing: $0)
      }
    }
    listed = waiting.map(\.message)
    await output.show([.waiting(waiting, at: Self.now)])
  }

  /// Cancels the message with this number in the latest list of `/waiting`. If the number is nil, cancels the
  /// last own message in the open chat's list that is not sent, even if it has failed or is uncertain.
  func cancel(_ number: Int?) async throws {
    let message = try number.map(listedMessage) ?? lastUnsent()
    let outcome = try await client.context(for: message.conversation).messenger.cancel(message.id)
    await output.show([.cancelled(message, outcome)])
  }

  private func listedMessage(_ number: Int) throws -> ChatMessage {
    guard listed.indices.contains(number - 1) else {
      throw UsageError("The last /waiting has no message \(number); type it again.")
    }
    return listed[number - 1]
  }

  private func lastUnsent() throws -> ChatMessage {
    let own = try openChat().messages.reversed().lazy.compactMap(\.message).filter(\.isOwn)
    guard let message = own.first(where: { $0.status != .sent }) else {
      throw UsageError("No message shown here is unsent; /waiting lists those of all chats.")
    }
    return message
  }

  private static var now: Timestamp {
    Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
  }
}
