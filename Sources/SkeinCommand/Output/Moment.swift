import Foundation
import Skein

/// Formats dates and times in this machine's time zone.
struct Moment: Sendable {
  var timeZone = TimeZone.current
  var locale = Locale(identifier: "en_GB")

  /// Hours and minutes: `09:41`.
  func time(_ time: Timestamp) -> String {
    let parts = calendar.dateComponents([.hour, .minute], from: date(time))
    func two(_ number: Int?) -> String { String(String((number ?? 0) + 100).dropFirst()) }
    return "\(two(parts.hour)):\(two(parts.minute))"
  }

  /// `Saturday 21 November 2026`.
  func day(_ time: Timestamp) -> String {
    date(time).formatted(
      Date.FormatStyle(locale: locale, calendar: calendar, timeZone: timeZone)
        .weekday(.wide).day().month(.wide).year())
  }

  private var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    return calendar
  }

  private func date(_ time: Timestamp) -> Date {
    Date(timeIntervalSince1970: Double(time.rawValue) / 1000)
  }
}
