import Testing

@testable import Skein

@Suite("Waiting for the lease")
struct LeaseWatchTests {
  private let held = LeaseRow(fence: 3, question: 7, answer: 7)
  private let asked = LeaseRow(fence: 3, question: 8, answer: 7)
  private let answered = LeaseRow(fence: 3, question: 8, answer: 8)

  @Test("If the file lock is free, the lease is acquired at once, whatever the row contains")
  func free() {
    var watch = LeaseWatch()
    #expect(watch.look(at: LeaseRow(), isFree: true, now: .zero) == .take)
    #expect(watch.look(at: asked, isFree: true, now: .zero) == .take)
  }

  @Test("A holder that answers is asked again after a while, and keeps the lease")
  func answering() {
    var watch = LeaseWatch()
    var asks = 0
    var row = held
    for second in 0..<100 {
      switch watch.look(at: row, isFree: false, now: .seconds(second)) {
      case .take: Issue.record("taken after \(second) s")
      case .ask:
        asks += 1
        row.question += 1
      case .wait: row.answer = row.question
      }
    }
    #expect((12...20).contains(asks))
  }

  @Test("A holder that does not answer loses the lease after ten observed seconds")
  func silent() {
    var watch = LeaseWatch()
    #expect(watch.look(at: held, isFree: false, now: .seconds(0)) == .ask)
    #expect(watch.look(at: asked, isFree: false, now: .seconds(1)) == .wait)
    for second in 2...10 { #expect(watch.look(at: asked, isFree: false, now: .seconds(second)) == .wait) }
    #expect(watch.look(at: asked, isFree: false, now: .seconds(11)) == .take)
  }

  @Test("Time in which nobody looks at the lease, as while the device sleeps, counts for at most a second")
  func slept() {
    var watch = LeaseWatch()
    _ = watch.look(at: held, isFree: false, now: .seconds(0))
    #expect(watch.look(at: asked, isFree: false, now: .seconds(1)) == .wait)
    #expect(watch.look(at: asked, isFree: false, now: .seconds(8 * 3600)) == .wait)
    #expect(watch.look(at: answered, isFree: false, now: .seconds(8 * 3600 + 1)) == .wait)
  }

  @Test("A new holder is watched from the beginning")
  func another() {
    var watch = LeaseWatch()
    _ = watch.look(at: held, isFree: false, now: .seconds(0))
    for second in 1...10 { _ = watch.look(at: asked, isFree: false, now: .seconds(second)) }
    let next = LeaseRow(fence: 4, question: 8, answer: 8)
    #expect(watch.look(at: next, isFree: false, now: .seconds(11)) == .wait)
    #expect(watch.look(at: next, isFree: false, now: .seconds(12)) == .wait)
  }
}
