import SkeinSimulation
import Testing

@testable import Skein

@Suite("A tree of chunks")
struct ChunkTreeTests {
  @Test("The tree behaves like an array for any order of changes", arguments: 1...20 as ClosedRange<UInt64>)
  func arrayEquivalence(seed: UInt64) {
    var generator = SplitMix(seed: seed)
    var tree = ChunkTree<Int>()
    var array: [Int] = []
    for step in 0..<2_000 {
      let choice = Int.random(in: 0..<10, using: &generator)
      let grows = array.isEmpty || choice < (step < 1_200 ? 6 : 2)
      if grows {
        let index = choice % 2 == 0 ? array.count : Int.random(in: 0...array.count, using: &generator)
        tree.insert(step, at: index)
        array.insert(step, at: index)
      } else if choice < 8 {
        let index = Int.random(in: 0..<array.count, using: &generator)
        #expect(tree.remove(at: index) == array.remove(at: index))
      } else {
        let index = Int.random(in: 0..<array.count, using: &generator)
        tree.replace(at: index, with: -step)
        array[index] = -step
      }
    }
    #expect(tree.count == array.count)
    #expect((0..<tree.count).map { tree[$0] } == array)
  }

  @Test("A copy is not affected by later changes of the tree")
  func persistence() {
    var tree = ChunkTree<Int>()
    for number in 0..<1_000 { tree.insert(number, at: number) }
    let copy = tree
    for _ in 0..<500 { tree.remove(at: 0) }
    tree.insert(-1, at: 0)
    #expect((0..<copy.count).map { copy[$0] } == Array(0..<1_000))
    #expect((0..<tree.count).map { tree[$0] } == [-1] + Array(500..<1_000))
  }
}
