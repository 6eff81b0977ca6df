import Skein
import SkeinCards

/// Draws the parts of the inspector.
enum InspectorPage {
  static func client(_ client: ChatClient, _ inspection: ClientInspection) -> HTML {
    let rows: [(String, String)] = [
      ("account", client.account.rawValue),
      ("connection", "\(client.connectionState)"),
      ("catching up", "\(client.catchUpState)"),
      ("contacts", "\(client.contactSyncState)"),
      ("cursor", inspection.cursor?.rawValue ?? "none yet"),
      ("changes stored", "\(inspection.version)"),
    ]
    return HTML(rows.flatMap { name, value in [HTML(.dt) { HTML(name) }, HTML(.dd) { HTML(value) }] })
  }

  static func operations(
    _ inspection: ClientInspection, in conversations: [Conversation], at now: Timestamp
  ) -> HTML {
    guard !inspection.operations.isEmpty else {
      return empty("Nothing waits: the server has every operation.")
    }
    let names = Dictionary(conversations.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    return table(["No.", "operation", "chat", "message", "since", "attempts", "state"]) {
      for operation in inspection.operations {
        HTML(.tr) {
          HTML(.td) { HTML("\(operation.id)") }
          HTML(.td) { HTML(operation.kind) }
          HTML(.td) { HTML(names[operation.conversation] ?? "\(operation.conversation.rawValue)") }
          HTML(.td) { HTML(operation.message.map { "\($0.rawValue)" } ?? "") }
          HTML(.td) { HTML(.time, [.data("time", "\(operation.queued.rawValue)")]) }
          HTML(.td) { HTML("\(operation.attempts)×") }
          HTML(.td) { HTML(standing(of: operation, nextTry: inspection.nextTry, at: now)) }
        }
      }
    }
  }

  private static func standing(
    of operation: ClientInspection.Operation, nextTry: Timestamp?, at now: Timestamp
  ) -> String {
    let words = operation.state.flatMap { SendStanding($0, nextTry: nextTry, kindOf: { _ in nil }) }?.text(
      at: now)
    let waits = operation.waitsFor.map { "after message \($0.rawValue)" }
    return [words, waits].compactMap(\.self).joined(separator: ", ")
  }

  static func chats(_ chats: [ClientInspection.Chat], _ conversations: [Conversation]) -> HTML {
    guard !chats.isEmpty else { return empty("No chats yet.") }
    let known = Dictionary(conversations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return HTML(
      chats.map { chat in
        HTML(.div) {
          HTML(.h3, [.ownDirection]) {
            HTML(
              "\(known[chat.id]?.name ?? "")  (\(chat.id.rawValue)), \(known[chat.id]?.unreadCount ?? 0) unread"
            )
          }
          HTML(.div, [.class("bars")]) {
            if chat.spans.isEmpty { HTML(.span, [.class("start")]) { HTML("nothing known yet") } }
            for (index, span) in chat.spans.enumerated() {
              gap(below: span, isFirst: index == 0)
              HTML(.span, [.class("span"), .title("ranks \(span.lower.rawValue) to \(span.upper.rawValue)")])
              {
                HTML(span.count == 1 ? "1 message" : "\(span.count) messages")
              }
            }
          }
        }
      })
  }

  private static func gap(below span: ClientInspection.Span, isFirst: Bool) -> HTML {
    if isFirst, span.reachesStart { return HTML(.span, [.class("start")]) { HTML("start") } }
    let unread = span.unreadBelow.map { ", \($0) unread" } ?? ""
    return HTML(.span, [.class("gap")]) {
      HTML("gap\(unread)\(span.reachesStart ? ", can't be filled" : "")")
    }
  }

  static func problems(_ problems: [CardProblem]) -> HTML {
    guard !problems.isEmpty else { return empty("No plugin has caused a problem.") }
    return table(["plugin", "problem", "message", "reason"]) {
      for problem in problems.reversed() {
        HTML(.tr) {
          HTML(.td) { HTML(problem.business) }
          HTML(.td) { HTML(problem.code.rawValue) }
          HTML(.td) { HTML(problem.message.map { "\($0.rawValue)" } ?? "") }
          HTML(.td) { HTML(problem.reason) }
        }
      }
    }
  }

  static func timings(_ timings: Timings) -> HTML {
    let all = [
      ("Sent: from writing a message until the server has it", timings.sent),
      ("Received: from the server to here", timings.received),
      ("Caught up", timings.caughtUp), ("Cards of one change drawn", timings.drawn),
    ]
    return HTML(
      all.map { name, histogram in
        HTML(.figure, [.class("histogram")]) {
          HTML(.figcaption) { HTML("\(name), \(histogram.total)×") }
          for (index, count) in histogram.counts.enumerated() {
            HTML(.span) { HTML(Histogram.label(index)) }
            HTML(
              .progress,
              [
                .value("\(count)"), .maximum("\(max(histogram.total, 1))"),
                .aria("label", "\(name): \(Histogram.label(index))"),
              ])
            HTML(.span) { HTML(count == 0 ? "" : "\(count)") }
          }
        }
      })
  }

  static func events(_ events: [InspectorLog.Event]) -> HTML {
    HTML(
      events.reversed().map { event in
        HTML(.li) {
          HTML(.time, [.data("time", "\(event.time.rawValue)")])
          HTML("  \(event.text)")
        }
      })
  }

  private static func empty(_ text: String) -> HTML { HTML(.p, [.class("empty")]) { HTML(text) } }

  private static func table(_ names: [String], @HTML.Builder _ rows: () -> HTML) -> HTML {
    HTML(.table) {
      HTML(.thead) { HTML(.tr) { for name in names { HTML(.th) { HTML(name) } } } }
      HTML(.tbody) { rows() }
    }
  }
}
