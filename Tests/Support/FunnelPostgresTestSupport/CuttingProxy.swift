import Foundation
import Synchronization

/// Stands between a store and its server, and cuts or holds the connection around a `COMMIT`.
package final class CuttingProxy: Sendable {
    /// When to cut.
    package enum Cut: Sendable {
        /// The server never sees the `COMMIT`.
        case before
        /// The server sees it, and nobody waits for what comes of it.
        case at
        /// The server has committed, and its answer is lost.
        case after
        /// Not at all: the `COMMIT` waits for ``release()``, as if the store's process were stopped.
        case hold

        /// Those that cut.
        package static let all = [before, at, after]
    }

    /// The directory of the socket, for the URL.
    package let directory: String
    private let upstream: String
    private let listener: Int32
    private let armed = Mutex<Cut?>(nil)
    private let cuts = Atomic<Int>(0)
    private let released = DispatchSemaphore(value: 0)

    /// How often it has cut.
    package var cutCount: Int { cuts.load(ordering: .relaxed) }

    /// Listens, for the server whose socket is in the directory `upstream`.
    package init(upstream: String) throws {
        self.upstream = upstream + "/.s.PGSQL.5432"
        // Gone with the server's at the latest.
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

    /// Cuts at the next `COMMIT` of any connection.
    package func cutNext(_ cut: Cut) {
        armed.withLock { $0 = cut }
    }

    /// Lets a `COMMIT` go that is held.
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
                // libpq sends it in a message of its own.
                let cut = Self.isCommit(bytes) ? armed.withLock { $0.take() } : nil
                if cut != nil { cuts.add(1, ordering: .relaxed) }
                if cut == .before { return false }
                if cut == .hold { released.wait() }
                if cut == .after { swallowsAnswer.value.store(true, ordering: .sequentiallyConsistent) }
                return Self.send(bytes, to: server) && cut != .at
            }
            // After a cut behind the COMMIT the other side ends this, when the answer is there.
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

    /// Reads until the end, or until `body` says no.
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

    // Where the other side is gone, an error is enough.
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
