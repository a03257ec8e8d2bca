package import Foundation
import Synchronization

extension Process {
    private static let turn = Mutex(())

    /// Starts the process, one after the other in this program.
    ///
    /// On Linux, Foundation learns that a process has ended when its end of a socket closes. A process that is started
    /// by another thread in the moment between the making of that socket and the start inherits it, and keeps it open
    /// for as long as it lives: until then, the first one never seems to end.
    ///
    /// - Throws: where there is no such program, or the system cannot start it.
    package func start() throws {
        try Self.turn.withLock { _ in try run() }
    }

    /// Does something while no process is started in this program.
    ///
    /// A new process has this one's sockets until its own program begins: the port of a listener that is closed just then
    /// stays taken, and who wants to listen on it anew cannot.
    package static func withoutStarts<Result>(_ body: () throws -> Result) rethrows -> Result {
        try turn.withLock { _ in try body() }
    }
}
