import Foundation
import FlowProcessTestSupport
import Testing

/// An HTTP answer, parsed from curl's output.
struct Answer {
    let status: Int
    let headers: [String: String]
    let body: String
    let seconds: Double

    /// Runs curl and parses its output.
    init(curl arguments: [String], input: [UInt8] = []) async throws {
        let standard = ["curl", "--silent", "--include", "--max-time", "300", "-H", "Expect:"]
        let start = ContinuousClock.now
        let output = try await run(standard + arguments, input: input)
        seconds = (ContinuousClock.now - start) / .seconds(1)
        let text = output.replacing("\r\n", with: "\n")
        let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = (parts.first ?? "").split(separator: "\n")
        let code = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        guard let code else { throw NoAnswer(output: output) }
        status = code
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2 else { continue }
            headers[field[0].lowercased()] = field[1].trimmingCharacters(in: .whitespaces)
        }
        self.headers = headers
        body = parts.count > 1 ? String(parts[1]) : ""
    }

    /// The status and the detail in the body of an answer that is not 200.
    func problem() throws -> (status: Int, detail: String) {
        struct Problem: Decodable {
            var title: String
            var status: Int
            var detail: String
        }
        let problem = try JSONDecoder().decode(Problem.self, from: Data(body.utf8))
        return (problem.status, problem.detail)
    }

    /// The results as `id status reason`.
    func results() throws -> [String] {
        struct Results: Decodable {
            struct Result: Decodable {
                var id: String?
                var status: String
                var reason: String?
                var detail: String?
            }
            var results: [Result]
        }
        return try JSONDecoder().decode(Results.self, from: Data(body.utf8)).results.map { result in
            [result.id ?? "null", result.status, result.reason].compactMap(\.self).joined(separator: " ")
        }
    }
}

/// The connection was closed before an answer came. It is an error and not an expectation, because some tests try again.
struct NoAnswer: Error, CustomStringConvertible {
    let output: String

    var description: String { "curl got no answer: \(output)" }
}

/// Runs a program to its end without blocking the cooperative pool.
func run(_ arguments: [String], input: [UInt8] = []) async throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    let (stdin, stdout) = (Pipe.notInherited(), Pipe.notInherited())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = FileHandle.nullDevice
    try process.start()
    return await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            Thread.detachNewThread {
                try? stdin.fileHandleForWriting.write(contentsOf: input)
                try? stdin.fileHandleForWriting.close()
            }
            let output = (try? stdout.fileHandleForReading.readToEnd()) ?? Data()
            process.waitUntilExit()
            continuation.resume(returning: String(decoding: output, as: UTF8.self))
        }
    }
}
