import AsyncHTTPClient
import Foundation
import FunnelCommandSupport
import FunnelReports
import NIOCore
import NIOHTTP1

/// Tells a webhook of a check's change of state. The state of the run before is in a file.
struct CheckWebhook: Sendable {
    let url: URL
    /// The file with the state.
    let file: URL

    /// Creates a webhook.
    ///
    /// - Parameters:
    ///   - url: where messages are posted.
    ///   - folder: the folder of the states; `nil` for the user's own: `$XDG_STATE_HOME/funnel-report`, or
    ///     `~/.local/state/funnel-report`.
    ///   - check: names the check, so that each has a file of its own.
    init(url: URL, folder: String?, check: [String], environment: [String: String]) {
        self.url = url
        let own =
            environment["XDG_STATE_HOME"].map { URL(filePath: $0) }
            ?? URL(filePath: environment["HOME"] ?? ".").appending(path: ".local/state")
        let folder = folder.map { URL(filePath: $0) } ?? own.appending(path: "funnel-report")
        // A hash, FNV-1a, because names of steps can have any character and length. It is the same in every run.
        let hash = check.joined(separator: "\u{0}").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        file = folder.appending(path: "\(check[0])-\(String(hash, radix: 16)).state")
    }

    /// Posts the alert if the state has changed, and keeps the new one then. A message that could not be posted is tried again
    /// at the next run.
    ///
    /// - Throws: `CommandFailure`.
    func tell(_ alert: CheckAlert) async throws(CommandFailure) {
        let text = try? String(contentsOf: file, encoding: .utf8)
        let previous = text.flatMap { CheckAlert.State(rawValue: $0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        if let message = alert.message(after: previous) { try await post(message) }
        guard alert.state != previous else { return }
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("\(alert.state.rawValue)\n".utf8).write(to: file, options: .atomic)
        } catch {
            throw CommandFailure(
                .ioError,
                "the state of the check cannot be kept in \(file.path) (\(error.localizedDescription)): give a folder that can "
                    + "be written with --webhook-state"
            )
        }
    }

    private func post(_ message: String) async throws(CommandFailure) {
        // Not Foundation's client: a program that is linked statically would need libcurl.
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: CheckAlert.body(message)))
        // The rest of the URL is the secret of a webhook.
        let name = "\(url.scheme ?? "http")://\(url.host ?? "")"
        let status: UInt
        do {
            status = try await HTTPClient.shared.execute(request, timeout: .seconds(30)).status.code
        } catch {
            throw CommandFailure(
                .unavailable,
                "the webhook at \(name) cannot be reached (\(error)): check its URL and the network"
            )
        }
        guard (200..<300).contains(status) else {
            throw CommandFailure(
                .unavailable,
                "the webhook at \(name) has answered \(status): check its URL, which its service may have withdrawn"
            )
        }
    }
}
