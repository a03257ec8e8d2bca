import FunnelReports
import FunnelServiceSupport
import HTTPTypes
internal import Hummingbird

/// Checks requests before they are answered, and adds the security headers to all answers.
struct ReportGuard<Context: RequestContext>: RouterMiddleware {
    let password: ReportPassword?
    let metrics: ReportMetrics

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            try check(request)
            response = try await next(request, context)
        } catch {
            let problem = ReportProblem(error)
            response = problem.response(isForProgram: request.uri.path.hasPrefix("/api/"))
        }
        for (name, value) in reportSecurityHeaders { response.headers[name] = value }
        metrics.countRequest(status: response.status.code)
        return response
    }

    private func check(_ request: Request) throws(ReportProblem) {
        guard request.method == .get || request.method == .head else { throw .methodNotAllowed }
        // Health checks have no password, and see no figures.
        let path = request.uri.path
        guard path != "/healthz", path != "/readyz" else { return }
        if let password {
            guard password.isIn(request.headers[.authorization]) else { throw .unauthorized }
        } else if let host = request.head.authority, !Self.isLoopback(authority: host) {
            // A page elsewhere could let its own name point to this machine, and then read the answers.
            throw .foreignHost
        }
    }

    /// Whether `HOST`, `HOST:PORT` or `[HOST]:PORT` names the loopback interface.
    static func isLoopback(authority: String) -> Bool {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return ListenAddress.isLoopback(host: authority[authority.index(after: authority.startIndex)..<end])
        }
        return ListenAddress.isLoopback(host: authority.prefix { $0 != ":" })
    }
}

// The names are tokens of RFC 9110, which is all that the initializer requires.
private let reportSecurityHeaders: [(HTTPField.Name, String)] = [
    ("Content-Security-Policy", LivePage.policy), ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
