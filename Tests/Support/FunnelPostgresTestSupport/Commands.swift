import Foundation
import FlowProcessTestSupport

/// Runs a program and returns its output.
@discardableResult
package func run(_ arguments: [String]) throws -> String {
    let process = Process()
    let (output, errors) = (Pipe.notInherited(), Pipe.notInherited())
    process.executableURL = URL(fileURLWithPath: arguments[0])
    process.arguments = Array(arguments.dropFirst())
    process.standardOutput = output
    process.standardError = errors
    try process.start()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw PostgresServerFailure("\(arguments[0]) failed: \(String(decoding: complaint, as: UTF8.self))")
    }
    return String(decoding: printed, as: UTF8.self)
}

/// Waits until a condition holds. It polls, because another process fulfills the condition and cannot signal it.
package func waitUntil(
    _ what: String,
    within patience: Duration = .seconds(300),
    _ condition: () throws -> Bool
) throws {
    let deadline = ContinuousClock.now + patience
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw PostgresServerFailure("timed out waiting until \(what)") }
        // What the test waits for happens in another process, which tells nobody.
        usleep(5_000)
    }
}

/// Runs `body` on a number of threads at once, and waits for all of them.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
        group.enter()
        Thread {
            body(index)
            group.leave()
        }.start()
    }
    group.wait()
}

/// Returns a TCP port of this machine that was free a moment ago.
package func freePort() throws -> Int {
    #if canImport(Darwin)
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // The system calls take every kind of address as a `sockaddr`.
    let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
        }
    }
    guard result == 0 else { throw PostgresServerFailure("no free port: \(String(cString: strerror(errno)))") }
    return Int(UInt16(bigEndian: address.sin_port))
}

/// Runs `body`, which starts a program, with all signals unblocked. Threads of Dispatch block signals and a program
/// inherits that, so that a shell would never notice the end of its child.
func withoutBlockedSignals<R>(_ body: () throws -> R) rethrows -> R {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
}
