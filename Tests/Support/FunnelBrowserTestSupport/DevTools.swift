import FlowProcessTestSupport
import Foundation

/// A browser that is controlled by the [DevTools protocol](https://chromedevtools.github.io/devtools-protocol/): JSON
/// messages, each with a zero byte at its end, through two named pipes.
final class DevTools {
    private let process = Process()
    private let folder: URL
    private let input: FileHandle
    private let output: FileHandle
    private var received: [UInt8] = []
    private var lastID = 0
    /// The session that calls are for; `nil` for the browser itself.
    var session: String?
    var onEvent: (_ method: String, _ parameters: [String: Any]) -> Void = { _, _ in }

    /// Starts the browser.
    init(_ path: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID().uuidString)")
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let pipes = ["commands", "answers"].map { folder.appending(path: $0) }
        for pipe in pipes {
            guard mkfifo(pipe.path, 0o600) == 0 else { throw BrowserError("cannot create \(pipe.path)") }
        }
        process.executableURL = URL(filePath: "/bin/sh")
        // Foundation cannot give a process the descriptors 3 and 4.
        process.arguments =
            ["-c", "exec 3<\"$0\" 4>\"$1\"; shift; exec \"$@\""] + pipes.map(\.path) + [
                path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--remote-debugging-pipe",
                "--user-data-dir=\(folder.appending(path: "profile").path)", "about:blank",
            ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
        // In the order in which the shell opens them, because each side waits for the other.
        input = try FileHandle(forWritingTo: pipes[0])
        output = try FileHandle(forReadingFrom: pipes[1])
    }

    /// Ends the browser, which removes its own temporary files.
    func close() {
        // A browser that hangs is killed.
        let browser = process.processIdentifier
        let deadline = DispatchWorkItem { kill(browser, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 10, execute: deadline)
        session = nil
        // It may end before it answers.
        _ = try? call("Browser.close")
        process.waitUntilExit()
        deadline.cancel()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Calls a method and returns its result.
    @discardableResult
    func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        lastID += 1
        let id = lastID
        var message: [String: Any] = ["id": id, "method": method, "params": parameters]
        message["sessionId"] = session
        var bytes = try JSONSerialization.data(withJSONObject: message)
        bytes.append(0)
        try input.write(contentsOf: bytes)
        var answer: [String: Any]?
        while answer == nil {
            let message = try next()
            if message["id"] as? Int == id { answer = message } else { report(message) }
        }
        if let error = answer?["error"] { throw BrowserError("\(method): \(error)") }
        return answer?["result"] as? [String: Any] ?? [:]
    }

    /// Reads events until a condition holds.
    func wait(until condition: () -> Bool) throws {
        while !condition() { report(try next()) }
    }

    private func report(_ message: [String: Any]) {
        guard let method = message["method"] as? String else { return }
        onEvent(method, message["params"] as? [String: Any] ?? [:])
    }

    private func next() throws -> [String: Any] {
        var searched = 0
        while true {
            if let end = received[searched...].firstIndex(of: 0) {
                let message = Data(received[..<end])
                received.removeSubrange(...end)
                return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
            }
            searched = received.count
            let data = output.availableData
            guard !data.isEmpty else { throw BrowserError("the browser has ended") }
            received += data
        }
    }
}

/// The browser did not do what it was asked for.
struct BrowserError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
