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
    package let directory: String
    private let upstream: String
    private let listener: Int32
    private let armed = Mutex<Cut?>(nil)
    private let cuts = Atomic<Int>(0)
    private let released = DispatchSemaphore(value: 0)

    /// The number of cuts.
    package var cutCount: Int { cuts.load(ordering: .relaxed) }

    /// Listens for clients of the server whose socket is in the directory `upstream`.
    package init(upstream: String) throws {
        self.upstream = upstream + "/.s.PGSQL.5432"
        // It is removed with the server's directory at the latest.
        directory = upstream + "/cut-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        listener = try Self.socket(directory + "/.s.PGSQL.5432", bind)
        guard listen(listener, 16) == 0 else { throw PostgresServerFailure("listen: \(errno)") }
        Thread { [listener, weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { return }
                self.serve(client)
            }
        }.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Cuts the connection at the next `COMMIT` of any client.
    package func cutNext(_ cut: Cut) {
        armed.withLock { $0 = cut }
    }

    /// Forwards a blocked `COMMIT`.
    package func release() {
        released.signal()
    }

    private func serve(_ client: Int32) {
        guard let server = try? Self.socket(upstream, connect) else {
            close(client)
            return
        }
        let swallowsAnswer = Flag()
        let ends = DispatchGroup()
        for _ in 0..<2 { ends.enter() }
        @Sendable func sever() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }
        Thread { [self] in
            Self.pump(client) { bytes in
                // libpq sends the COMMIT in a message of its own.
                let cut = Self.isCommit(bytes) ? armed.withLock { $0.take() } : nil
                if cut != nil { cuts.add(1, ordering: .relaxed) }
                if cut == .before { return false }
                if cut == .hold { released.wait() }
                if cut == .after { swallowsAnswer.value.store(true, ordering: .sequentiallyConsistent) }
                return Self.send(bytes, to: server) && cut != .at
            }
            // After a cut behind the COMMIT, the other direction closes this one when the answer has arrived.
            sever()
            ends.leave()
        }.start()
        Thread {
            Self.pump(server) { bytes in
                !swallowsAnswer.value.load(ordering: .sequentiallyConsistent) && Self.send(bytes, to: client)
            }
            sever()
            ends.leave()
        }.start()
        ends.notify(queue: .global()) {
            close(client)
            close(server)
        }
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    private static func isCommit(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count >= 12 && bytes.suffix(12).elementsEqual([0x51, 0, 0, 0, 11] + Array("COMMIT\0".utf8))
    }

    /// Reads until the end, or until `body` returns `false`.
    private static func pump(_ descriptor: Int32, _ body: (ArraySlice<UInt8>) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0, body(buffer[..<count]) else { return }
        }
    }

    private static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, noSignal) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    // If the other side has closed the connection, an error is enough.
    #if canImport(Darwin)
    private static let noSignal: Int32 = 0
    #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif

    private static func socket(
        _ path: String,
        _ join: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        #if canImport(Darwin)
        let descriptor = Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #else
        let descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        // The system's calls take every kind of address as a `sockaddr`.
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                join(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let reason = errno
            close(descriptor)
            throw PostgresServerFailure("the socket \(path): \(String(cString: strerror(reason)))")
        }
        return descriptor
    }
}
