import Foundation

/// A TCP connection to a collector, for clients that curl cannot be: slow ones, silent ones and those that never read.
final class RawClient {
    private let socket: Int32

    /// Connects to a port of this machine. The receive buffer is small, so that unread answers stay with the sender.
    init(port: Int) throws {
        #if canImport(Glibc)
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var size: Int32 = 4096
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The C function takes a pointer to the general address type.
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) }
        }
        guard code == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(socket) }

    /// Sends all of the bytes, unless the collector closes the connection.
    func send(_ bytes: [UInt8]) {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        // A closed connection would otherwise end the process with a signal.
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads until what was read ends with a text, or the collector closes the connection.
    func read(until ending: String) async -> String {
        var all = ""
        var part = [UInt8](repeating: 0, count: 4096)
        while !all.hasSuffix(ending) {
            // Without a wait: the collector answers on the same threads.
            let count = recv(socket, &part, part.count, Int32(MSG_DONTWAIT))
            if count == 0 { break }
            if count > 0 { all += String(decoding: part[..<count], as: UTF8.self) } else { await Task.yield() }
        }
        return all
    }

    /// Sends the headers of a batch of events, and the begin of its body.
    func post(_ body: [UInt8], announced: Int, key: String = secret) {
        let head = [
            "POST /v1/events HTTP/1.1", "Host: a", "Authorization: Bearer \(key)",
            "Content-Type: application/cloudevents-batch+json", "Content-Length: \(announced)", "", "",
        ]
        send(Array(head.joined(separator: "\r\n").utf8) + body)
    }
}
