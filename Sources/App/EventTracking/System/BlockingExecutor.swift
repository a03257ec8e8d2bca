import Dispatch

/// Runs an actor's jobs on a dispatch queue. An actor that blocks on a file then does not block the few threads that all
/// other tasks share.
///
/// Linux has no `DispatchSerialQueue`, which does the same on Apple's platforms.
package final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Creates an executor. Debuggers show the label.
    package init(label: String) {
        queue = DispatchQueue(label: label, qos: .utility)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
