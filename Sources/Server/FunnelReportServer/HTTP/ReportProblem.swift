import FlowEvents
import FunnelReports
import FunnelStore
import Funnels
import HTTPTypes
internal import Hummingbird
import NIOCore

/// An answer that is no report: its status, and a sentence for people.
struct ReportProblem: Error, Sendable, Hashable {
    let status: HTTPResponse.Status
    let detail: String
    /// More text for people, such as the parameters.
    var usage = ""
    /// The answer for people as a page; `nil` for text.
    var page: String?

    static let unauthorized = ReportProblem(status: .unauthorized, detail: "the password is missing or wrong")
    static let foreignHost = ReportProblem(
        status: .misdirectedRequest,
        detail: "without a password, only localhost is answered"
    )
    static let methodNotAllowed = ReportProblem(status: .methodNotAllowed, detail: "expected GET or HEAD")

    init(status: HTTPResponse.Status, detail: String, usage: String = "") {
        self.status = status
        self.detail = detail
        self.usage = usage
    }

    /// The problem of an error.
    init(_ error: any Error) {
        switch error {
        case let error as ReportProblem: self = error
        case is ReportQueryError, is ReportRequestError:
            self.init(status: .badRequest, detail: "\(error)", usage: ReportQueryError.usage)
        case is UnknownFunnels: self.init(status: .notFound, detail: "\(error)")
        case is StoreError: self.init(status: .serviceUnavailable, detail: "\(error)")
        case StoreReaders.Failure.busy:
            self.init(status: .serviceUnavailable, detail: "too many reports are under way: try again soon")
        case StoreReaders.Failure.slow(let limit):
            self.init(status: .serviceUnavailable, detail: "the store has not answered within \(limit)")
        case let error as any HTTPResponseError:
            self.init(status: error.status, detail: error.status.reasonPhrase.lowercased())
        default: self.init(status: .internalServerError, detail: "an unexpected error: \(type(of: error))")
        }
    }

    /// The answer: [problem details](https://www.rfc-editor.org/rfc/rfc9457) for programs, else text.
    func response(isForProgram: Bool) -> Response {
        let (text, type) =
            if isForProgram {
                (json, "application/problem+json")
            } else if let page {
                (page, "text/html; charset=utf-8")
            } else {
                (detail + "\n" + (usage.isEmpty ? "" : "\n" + usage), "text/plain; charset=utf-8")
            }
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        if status == .unauthorized { headers[.wwwAuthenticate] = "Basic realm=\"funnels\", charset=\"UTF-8\"" }
        if status == .methodNotAllowed { headers[.allow] = "GET, HEAD" }
        if status == .serviceUnavailable { headers[.retryAfter] = "2" }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    private var json: String {
        var members: [(key: String, value: JSONNode)] = [
            ("status", .integer(status.code)), ("title", .string(status.reasonPhrase)), ("detail", .string(detail)),
        ]
        if !usage.isEmpty { members.append(("usage", .string(usage))) }
        var output = ""
        JSONNode.object(members).write(to: &output)
        return output + "\n"
    }
}
