import EventTracking
import CFlowZlib
package import Foundation

/// A small HTTP/1.1 server on real sockets, for tests that need unusual responses.
///
/// Each connection has its own thread. The server supports no chunked bodies and no pipelining.
package final class HTTPTestServer: Sendable {
    /// A request with its decompressed body.
    package struct Request: Sendable {
        package var method: String
        package var path: String
        /// The headers, by lowercase name.
        package var headers: [String: String]
        package var body: [UInt8]
    }

    package enum Reply: Sendable {
        case respond(Int, headers: [String: String] = [:], body: String = "")
        /// Closes the connection after reading the request.
        case cut
    }

    private let listener: Int32
    private let port: UInt16
    private let received = Locked<[Request]>([])
    private let connections = Locked<Set<Int32>>([])
    private let handler: @Sendable (Request) -> Reply

    package init(handler: @escaping @Sendable (Request) -> Reply) throws {
        self.handler = handler
        #if canImport(Glibc)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The C functions take a pointer to the general address type.
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard code else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in accept() }
    }

    package var url: URL { URL(string: "http://127.0.0.1:\(port)/v1/events") ?? URL(fileURLWithPath: "/") }

    /// The received requests.
    package var requests: [Request] { received.withLock { $0 } }

    /// Stops listening and closes all connections.
    ///
    /// This wakes the threads, and each closes its own descriptor. If another thread closed it, the number could be reused
    /// for another server's socket, and the thread would answer its requests.
    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        connections.withLock { for connection in $0 { shutdown(connection, Int32(SHUT_RDWR)) } }
    }

    private func accept() {
        defer { close(listener) }
        while case let connection = Foundation.accept(listener, nil, nil), connection >= 0 {
            #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
            #endif
            connections.withLock { _ = $0.insert(connection) }
            Thread.detachNewThread { [self] in
                serve(connection)
                // A child process may have a copy of the descriptor, so close the connection explicitly.
                shutdown(connection, Int32(SHUT_RDWR))
                connections.withLock {
                    $0.remove(connection)
                    close(connection)
                }
            }
        }
    }

    private func serve(_ connection: Int32) {
        var buffer: [UInt8] = []
        while let request = read(from: connection, &buffer) {
            received.withLock { $0.append(request) }
            guard case .respond(let status, var headers, let body) = handler(request) else { return }
            headers["Content-Length"] = String(body.utf8.count)
            var text = "HTTP/1.1 \(status) Status\r\n"
            for (name, value) in headers { text += "\(name): \(value)\r\n" }
            guard write(Array((text + "\r\n" + body).utf8), to: connection) else { return }
        }
    }

    // Writing to a closed connection would terminate the process with a signal. Linux prevents it with a flag for each
    // write, Apple's platforms with an option of the socket.
    #if canImport(Darwin)
    private static let noSignal: Int32 = 0
    #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif

    private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Self.noSignal) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func read(from connection: Int32, _ buffer: inout [UInt8]) -> Request? {
        let separator = Array("\r\n\r\n".utf8)
        func more() -> Bool {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(connection, &chunk, chunk.count, 0)
            buffer += chunk.prefix(max(0, count))
            return count > 0
        }
        while buffer.firstRange(of: separator) == nil { guard more() else { return nil } }
        guard let end = buffer.firstRange(of: separator) else { return nil }
        let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...]
            headers[line[..<colon].lowercased()] = value.trimmingCharacters(in: .whitespaces)
        }
        buffer.removeSubrange(..<end.upperBound)
        let length = headers["content-length"].flatMap(Int.init) ?? 0
        while buffer.count < length { guard more() else { return nil } }
        var body = Array(buffer.prefix(length))
        buffer.removeFirst(length)
        if headers["content-encoding"] == "gzip" { body = Self.decompressed(body) }
        return Request(method: String(words[0]), path: String(words[1]), headers: headers, body: body)
    }

    private static func decompressed(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        guard flow_inflate_init_gzip(&stream) == Z_OK else { return [] }
        defer { inflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: 16 << 20)
        // The pointers do not outlive the call.
        let code = bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        return code == Z_STREAM_END ? Array(output.prefix(Int(stream.total_out))) : []
    }
}
