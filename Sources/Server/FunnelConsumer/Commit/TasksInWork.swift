import Dispatch
import Foundation
import Funnels
import Synchronization

/// The tasks of a batch, which several threads run.
///
/// Other threads begin at once. The thread that waits for the results runs the tasks that no other thread has begun.
final class TasksInWork: Sendable {
    private let tasks: [CountingTask]
    private let work: Mutex<Work>
    private let helpers = DispatchGroup()

    private struct Work {
        /// The first task that no thread has begun.
        var next = 0
        var results: [Result<CountedInstalls, DamagedState>?]
    }

    init(_ tasks: [CountingTask]) {
        self.tasks = tasks
        work = Mutex(Work(results: Array(repeating: nil, count: tasks.count)))
        let helperCount = min(tasks.count, ProcessInfo.processInfo.activeProcessorCount) - 1
        guard helperCount > 0 else { return }
        for _ in 0..<helperCount { DispatchQueue.global().async(group: helpers) { self.help() } }
    }

    /// Returns the results in the order of the tasks.
    ///
    /// - Throws: ``DamagedState`` where a row cannot be read.
    func counted() throws(DamagedState) -> [CountedInstalls] {
        help()
        helpers.wait()
        var counted: [CountedInstalls] = []
        for result in work.withLock({ $0.results }) {
            if let task = try result?.get() { counted.append(task) }
        }
        return counted
    }

    private func help() {
        while let number = begin() {
            let result = Result { () throws(DamagedState) in try tasks[number].counted() }
            work.withLock { $0.results[number] = result }
        }
    }

    private func begin() -> Int? {
        work.withLock { work in
            guard work.next < tasks.count else { return nil }
            defer { work.next += 1 }
            return work.next
        }
    }
}
