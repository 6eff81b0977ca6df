import SkeinSimulation
import Testing

@Suite("Kill matrix")
struct KillMatrixTests {
  @Test(
    "A crash, a power cut or a full disk at a database statement breaks no promise",
    arguments: KilledStep.allCases)
  func step(_ step: KilledStep) throws {
    for fault in KillMatrix.faults {
      let cell = try KillMatrix.strike(step, with: fault, stride: 150, in: Simulation.folder)
      #expect(cell.statements > 0)
      #expect(cell.violations.isEmpty)
    }
  }
}
