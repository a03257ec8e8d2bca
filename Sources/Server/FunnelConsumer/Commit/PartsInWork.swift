import Dispatch
import Foundation
import Funnels
import Synchronization

/// The parts of a settlement, which several threads settle.
///
/// Other threads begin at once. The thread that waits for the results settles the parts that no other thread has begun.
final class PartsInWork: Sendable {
    private let parts: [SettlementPart]
    private let work: Mutex<Work>
    private let helpers = DispatchGroup()

    private struct Work {
        /// The first part that no thread has begun.
        var next = 0
        var results: [Result<SettledPart, DamagedState>?]
    }

    init(_ parts: [SettlementPart]) {
        self.parts = parts
        work = Mutex(Work(results: Array(repeating: nil, count: parts.count)))
        let helperCount = min(parts.count, ProcessInfo.processInfo.activeProcessorCount) - 1
        guard helperCount > 0 else { return }
        for _ in 0..<helperCount { DispatchQueue.global().async(group: helpers) { self.help() } }
    }

    /// Returns the results in the order of the parts.
    ///
    /// - Throws: ``DamagedState`` where a row cannot be read.
    func settled() throws(DamagedState) -> [SettledPart] {
        help()
        helpers.wait()
        var settled: [SettledPart] = []
        for result in work.withLock({ $0.results }) {
            if let part = try result?.get() { settled.append(part) }
        }
        return settled
    }

    private func help() {
        while let number = begin() {
            let result = Result { () throws(DamagedState) in try parts[number].settled() }
            work.withLock { $0.results[number] = result }
        }
    }

    private func begin() -> Int? {
        work.withLock { work in
            guard work.next < parts.count else { return nil }
            defer { work.next += 1 }
            return work.next
        }
    }
}
