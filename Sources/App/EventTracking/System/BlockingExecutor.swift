import Dispatch

/// Runs an actor's jobs on a dispatch queue, so that an actor that blocks on a file blocks none of the few threads that
/// all other tasks share.
///
/// `DispatchSerialQueue`, which would be enough on Apple's platforms, does not exist on Linux.
package final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Creates an executor; the label is for debuggers.
    package init(label: String) {
        queue = DispatchQueue(label: label, qos: .utility)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
