import EventTrackingTestKit
import Testing

@testable import EventTracking

@Suite struct FIFOTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `it holds what an array would hold`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = FIFO<Int>()
        var model: [Int] = []
        for step in 0..<2000 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<10:
                queue.append(step)
                model.append(step)
            case 10..<18:
                #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            case 18:
                queue.prepend([-step, step])
                model.insert(contentsOf: [-step, step], at: 0)
            default:
                #expect(queue.removeFirst(5) == Array(model.prefix(5)))
                model.removeFirst(min(5, model.count))
            }
            #expect(queue.first == model.first && queue.count == model.count, "seed \(seed), step \(step)")
        }
    }
}
