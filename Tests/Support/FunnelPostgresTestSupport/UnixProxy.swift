import Foundation

/// A proxy between the clients and the Unix socket of a server, which decides about all bytes that pass.
final class UnixProxy: Sendable {
    /// Sends bytes on to the other side, at once or later. Returns `false` to close the connection.
    typealias Filter = @Sendable (_ bytes: ArraySlice<UInt8>, _ send: (ArraySlice<UInt8>) -> Bool) -> Bool

    /// The directory of the proxy's socket, for the URL.
    let directory: String
    private let upstream: String
    private let filters: @Sendable () -> (toServer: Filter, toClient: Filter)
    private let listener: Int32

    /// Listens for clients of the server whose socket is in the directory `upstream`.
    ///
    /// - Parameter filters: returns the filters of a new connection.
    init(
        upstream: String,
        filters: @escaping @Sendable () -> (toServer: Filter, toClient: Filter)
    ) throws {
        self.upstream = upstream + "/.s.PGSQL.5432"
        self.filters = filters
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

    private func serve(_ client: Int32) {
        guard let server = try? Self.socket(upstream, connect) else {
            close(client)
            return
        }
        let filters = filters()
        let ends = DispatchGroup()
        for (from, to, filter) in [(client, server, filters.toServer), (server, client, filters.toClient)] {
            ends.enter()
            Thread {
                Self.pump(from) { bytes in filter(bytes) { Self.send($0, to: to) } }
                // The other direction ends, too.
                shutdown(client, Int32(SHUT_RDWR))
                shutdown(server, Int32(SHUT_RDWR))
                ends.leave()
            }.start()
        }
        ends.notify(queue: .global()) {
            close(client)
            close(server)
        }
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
