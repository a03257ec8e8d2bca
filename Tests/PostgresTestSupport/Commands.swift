import Foundation

/// Runs a program to its end and returns what it printed.
@discardableResult
package func run(_ arguments: [String]) throws -> String {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: arguments[0])
    process.arguments = Array(arguments.dropFirst())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw PostgresServerFailure("\(arguments[0]) failed: \(String(decoding: complaint, as: UTF8.self))")
    }
    return String(decoding: printed, as: UTF8.self)
}

/// Waits until a condition holds that something else brings about.
package func waitUntil(
    _ what: String,
    within patience: Duration = .seconds(30),
    _ condition: () throws -> Bool
) throws {
    let deadline = ContinuousClock.now + patience
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw PostgresServerFailure("waited in vain until \(what)") }
        usleep(5_000)
    }
}

/// Runs `body` on so many threads at once, and waits for all of them.
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

/// Runs `body`, which starts a program, so that the program gets signals: those of dispatch's threads are blocked, a
/// program inherits that, and a shell would never learn that its child has ended.
func withoutBlockedSignals<R>(_ body: () throws -> R) rethrows -> R {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
}
