import Foundation
import Synchronization

/// A proxy between a store and its server that cuts or blocks the connection around a `COMMIT`.
package final class CuttingProxy: Sendable {
    /// When to cut the connection.
    package enum Cut: Sendable {
        /// Before the `COMMIT`: the server never receives it.
        case before
        /// After the `COMMIT`: the server receives it, but the client cannot see the result.
        case at
        /// After the server has committed: its answer is lost.
        case after
        /// Never: the `COMMIT` waits for ``release()``, as if the store's process were suspended.
        case hold

        /// The cases that cut the connection.
        package static let all = [before, at, after]
    }

    /// The directory of the socket, for the URL.
    package var directory: String { proxy.directory }
    /// The number of cuts.
    package var cutCount: Int { state.cuts.load(ordering: .relaxed) }
    private let proxy: UnixProxy
    private let state: State

    private final class State: Sendable {
        let armed = Mutex<Cut?>(nil)
        let cuts = Atomic<Int>(0)
        let released = DispatchSemaphore(value: 0)
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    /// Listens for clients of the server whose socket is in the directory `upstream`.
    package init(upstream: String) throws {
        let state = State()
        self.state = state
        proxy = try UnixProxy(upstream: upstream) {
            let swallowsAnswer = Flag()
            return (
                toServer: { bytes, send in
                    // libpq sends the COMMIT in a message of its own.
                    let cut = Self.isCommit(bytes) ? state.armed.withLock { $0.take() } : nil
                    if cut != nil { state.cuts.add(1, ordering: .relaxed) }
                    if cut == .before { return false }
                    if cut == .hold { state.released.wait() }
                    if cut == .after { swallowsAnswer.value.store(true, ordering: .sequentiallyConsistent) }
                    // After a cut behind the COMMIT, the other direction closes this one when the answer has arrived.
                    return send(bytes) && cut != .at
                },
                toClient: { bytes, send in
                    !swallowsAnswer.value.load(ordering: .sequentiallyConsistent) && send(bytes)
                }
            )
        }
    }

    /// Cuts the connection at the next `COMMIT` of any client.
    package func cutNext(_ cut: Cut) {
        state.armed.withLock { $0 = cut }
    }

    /// Forwards a blocked `COMMIT`.
    package func release() {
        state.released.signal()
    }

    private static func isCommit(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count >= 12 && bytes.suffix(12).elementsEqual([0x51, 0, 0, 0, 11] + Array("COMMIT\0".utf8))
    }
}
