package import Foundation
import Synchronization

extension Process {
    private static let turn = Mutex(())

    /// Starts the process. Two processes never start at the same time in this program.
    ///
    /// On Linux, Foundation notices the end of a process when the process's end of a socket closes. If another thread
    /// starts a second process between the creation of that socket and the start of the first process, the second one
    /// inherits the socket. Then the first process does not seem to end until the second one ends.
    ///
    /// - Throws: An error if the program does not exist or the system cannot start it.
    package func start() throws {
        try Self.turn.withLock { _ in try run() }
    }

    /// Runs `body` while this program starts no process.
    ///
    /// A new process has copies of this process's sockets until its own program begins. If a listener closes in that
    /// time, its port stays in use, and nothing can listen on it again.
    package static func withoutStarts<Result>(_ body: () throws -> Result) rethrows -> Result {
        try turn.withLock { _ in try body() }
    }
}

extension Pipe {
    /// Creates a pipe while this program starts no process.
    ///
    /// On Linux, a process closes the files of this program that it knows of when it starts. It inherits a pipe that
    /// another thread creates at the same time. Whoever reads that pipe to its end would wait until the process has ended.
    package static func notInherited() -> Pipe { Process.withoutStarts { Pipe() } }
}
