import Foundation
import Synchronization

/// Reads and decompresses a file on a thread of its own, a few chunks ahead of whoever takes them.
///
/// The thread that parses lines is the limit of a count. What is done here it need not do.
final class ReadAhead: Sendable {
    /// Some of the bytes.
    struct Chunk: Sendable {
        /// The bytes, and room behind them.
        var bytes: [UInt8]
        /// The number of the bytes; 0 at the end of the file.
        var count = 0
        /// The number of bytes of the file, as they are there, that were read up to here.
        var position: Int64 = 0
    }

    private struct State {
        var filled: [Result<Chunk, any Error>] = []
        var free: [Chunk]
        var isStopped = false
    }

    private static let chunkCount = 4

    private let state: Mutex<State>
    private let filledCount = DispatchSemaphore(value: 0)
    private let freeCount = DispatchSemaphore(value: 0)
    // Only the thread uses it.
    private let input: Mutex<DecodedInput>

    /// Starts to read.
    ///
    /// - Parameters:
    ///   - input: the bytes.
    ///   - chunkSize: the number of bytes of a chunk.
    init(_ input: sending DecodedInput, chunkSize: Int) {
        self.input = Mutex(input)
        let chunk = Chunk(bytes: [UInt8](repeating: 0, count: chunkSize))
        state = Mutex(State(free: Array(repeating: chunk, count: Self.chunkCount)))
        // Not its initial value: a semaphore must not end below that.
        for _ in 0..<Self.chunkCount { freeCount.signal() }
        let thread = Thread { [self] in run() }
        thread.name = "read-ahead"
        thread.start()
    }

    /// Ends the thread. One that waits for a pipe ends when something comes.
    func stop() {
        state.withLock { $0.isStopped = true }
        freeCount.signal()
    }

    /// Waits for the next chunk. After one without bytes there is none.
    ///
    /// - Throws: the error that ended the reading.
    func next() throws -> Chunk {
        filledCount.wait()
        return try state.withLock { $0.filled.removeFirst() }.get()
    }

    /// Gives a chunk back, to be filled again.
    func giveBack(_ chunk: Chunk) {
        state.withLock { $0.free.append(chunk) }
        freeCount.signal()
    }

    private func run() {
        input.withLock { input in
            while true {
                freeCount.wait()
                let chunk = state.withLock { $0.isStopped ? nil : $0.free.popLast() }
                guard var chunk else { return }
                let result = Result<Chunk, any Error> {
                    chunk.count = try chunk.bytes.withUnsafeMutableBytes { try input.read(into: $0) }
                    chunk.position = input.position
                    return chunk
                }
                state.withLock { $0.filled.append(result) }
                filledCount.signal()
                guard case .success(let filled) = result, filled.count > 0 else { return }
            }
        }
    }
}
