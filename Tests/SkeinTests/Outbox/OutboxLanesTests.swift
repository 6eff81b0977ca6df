import Testing

@testable import Skein

@Suite("The lanes of the outbox")
struct OutboxLanesTests {
  private func row(_ id: Int64, in chat: Int64, isMedia: Bool = false, dependsOn: Int64? = nil)
    -> OperationRow
  {
    OperationRow(
      id: OperationID(rawValue: id), conversation: ConversationID(rawValue: chat), kind: .send,
      message: LocalMessageID(rawValue: id), parameters: nil, needsPreparation: isMedia, attempts: 0,
      outcomeIsUnknown: false, queued: Timestamp(milliseconds: 0),
      dependsOn: dependsOn.map(LocalMessageID.init), isMedia: isMedia)
  }

  /// Asks the lanes that are due, and returns their steps.
  private func steps(_ lanes: inout OutboxLanes, at now: Duration = .zero, mayUpload: Bool = true)
    -> [[OutboxLane.Step]]
  {
    lanes.due(at: now, mayUpload: mayUpload).map { index in
      var steps: [OutboxLane.Step] = []
      while true {
        steps.append(lanes.next(in: index, at: now, mayUpload: mayUpload))
        switch steps.last {
        case .wait, .rest: return steps
        default: continue
        }
      }
    }
  }

  private let ids = (1...9).map { OperationID(rawValue: $0) }

  @Test("Only the lanes that changed are asked for a step, in their order")
  func changed() {
    var lanes = OutboxLanes(.mediaLane)
    for number: Int64 in 1...3 { lanes.added(row(number, in: 10 * number)) }
    lanes.added(row(4, in: 10))
    #expect(
      steps(&lanes) == [[.post(ids[0]), .rest], [.post(ids[1]), .rest], [.post(ids[2]), .rest]])
    #expect(steps(&lanes) == [])
    lanes.change(of: ids[2]) { $0.ended(ids[2]) }
    lanes.change(of: ids[0]) { $0.ended(ids[0]) }
    #expect(steps(&lanes) == [[.post(ids[3]), .rest], [.rest]])
    #expect(steps(&lanes) == [])
  }

  @Test("A lane is asked again when the pause after a failure ends")
  func pause() throws {
    var lanes = OutboxLanes(.mediaLane)
    for number: Int64 in 1...2 { lanes.added(row(number, in: number)) }
    _ = steps(&lanes)
    #expect(lanes.nextCheck == nil)
    lanes.change(of: ids[1]) { $0.failed(ids[1], at: .zero, retryAfter: .seconds(9), random: 0) }
    #expect(steps(&lanes) == [[.wait(until: .seconds(9))]])
    #expect(lanes.nextCheck == .seconds(9))
    #expect(steps(&lanes, at: .seconds(8)) == [])
    #expect(steps(&lanes, at: .seconds(9)) == [[.post(ids[1]), .rest]])
    #expect(lanes.nextCheck == nil)
  }

  @Test("A lane in which an upload is not allowed yet is asked again once uploads are allowed")
  func uploads() {
    var lanes = OutboxLanes(.mediaLane)
    lanes.added(row(1, in: 1, isMedia: true))
    #expect(steps(&lanes, mayUpload: false) == [[.rest]])
    #expect(steps(&lanes, mayUpload: false) == [])
    #expect(steps(&lanes) == [[.prepare(ids[0]), .rest]])
    #expect(steps(&lanes) == [])
  }

  @Test("Dependents are counted over all lanes, while lanes become empty, merge and are removed")
  func dependents() {
    var lanes = OutboxLanes(.mediaLane)
    lanes.added(row(1, in: 1))
    lanes.added(row(2, in: 2, dependsOn: 1))
    lanes.added(row(3, in: 3))
    #expect(lanes.hasDependents)
    #expect(steps(&lanes) == [[.post(ids[0]), .rest], [.rest], [.post(ids[2]), .rest]])
    lanes.change(of: ids[0]) { $0.ended(ids[0]) }
    lanes.merge(ConversationID(rawValue: 3), into: ConversationID(rawValue: 2))
    #expect(steps(&lanes) == [[.rest]])
    lanes.changeAll { $0.sent(LocalMessageID(rawValue: 1)) }
    #expect(!lanes.hasDependents)
    lanes.change(of: ids[2]) { $0.ended(ids[2]) }
    #expect(steps(&lanes) == [[.post(ids[1]), .rest]])
    lanes.change(of: ids[1]) { $0.ended(ids[1]) }
    #expect(lanes.operations.isEmpty)
    #expect(steps(&lanes) == [])
    lanes.added(row(4, in: 3))
    #expect(steps(&lanes) == [[.post(ids[3]), .rest]])
  }
}
