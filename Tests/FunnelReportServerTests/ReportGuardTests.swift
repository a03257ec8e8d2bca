import FlowTestSupport
import FunnelReports
import FunnelServiceSupport
import FunnelStoreTestSupport
import Hummingbird
import Testing

@testable import FunnelReportServer

/// Who may read the reports, and what browsers are told about the pages.
@Suite(.waits, .timeLimit(.minutes(10))) struct ReportGuardTests {
    @Test func `with a password, only health and readiness are answered without it`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening, password: "a:secret ü") { server in
            for path in ["/", "/funnels/first", "/api/v1/funnels", "/metrics", "/refresh.js", "/elsewhere"] {
                let answer = try await server.raw(path)
                #expect(answer.status == 401, "\(path)")
                #expect(answer.headers["www-authenticate"]?.hasPrefix("Basic realm=") == true)
                #expect(!answer.body.contains("first"))
            }
            for wrong in ["", "a", "a:secret u", "a:secret ü "] {
                #expect(try await server.raw("/", basic(wrong)).status == 401, "\(wrong)")
            }
            #expect(try await server.raw("/", ["Authorization": "Bearer a:secret ü"]).status == 401)
            #expect(try await server.raw("/", ["Authorization": "Basic !"]).status == 401)
            for path in ["/", "/funnels/first", "/api/v1/funnels", "/metrics"] {
                #expect(try await server.raw(path, basic("a:secret ü")).status == 200, "\(path)")
            }
            for path in ["/healthz", "/readyz"] { #expect(try await server.raw(path).status == 200) }
        }
    }

    @Test func `an address that others can reach wants a password`() throws {
        for host in ["0.0.0.0", "::", "192.0.2.1", "127.example.com", "reports.example.com", "127.0.0.1.2"] {
            let address = ListenAddress(host: host, port: 8081)
            #expect(throws: MissingPassword(address: address)) {
                try ReportServerSettings(address: address, password: "")
            }
            _ = try ReportServerSettings(address: address, password: "x")
        }
        for host in ["127.0.0.1", "127.1.2.3", "::1", "localhost"] {
            _ = try ReportServerSettings(address: ListenAddress(host: host, port: 8081))
        }
    }

    @Test func `without a password, a name that somebody points to this machine is not answered`() async throws {
        typealias Guard = ReportGuard<BasicRequestContext>
        for authority in ["localhost", "localhost:8081", "127.0.0.1:8081", "[::1]:8081", "[::1]"] {
            #expect(Guard.isLoopback(authority: authority), "\(authority)")
        }
        for authority in ["evil.example.com", "127.0.0.1.example.com:8081", "[::2]:8081", "", "[::1"] {
            #expect(!Guard.isLoopback(authority: authority), "\(authority)")
        }
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let foreign = try await server.raw("/", ["Host": "evil.example.com"])
            #expect(foreign.status == 421)
            let local = try await server.raw("/", ["Host": "localhost:1"])
            #expect(local.status == 200)
        }
    }

    @Test func `every answer has the security headers`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            for path in ["/", "/funnels/first", "/api/v1/funnels", "/funnels/third", "/healthz", "/refresh.js"] {
                let headers = try await server.get(path).headers
                #expect(headers["content-security-policy"] == LivePage.policy, "\(path)")
                #expect(headers["x-content-type-options"] == "nosniff")
                #expect(headers["x-frame-options"] == "DENY")
                #expect(headers["referrer-policy"] == "no-referrer")
            }
            #expect(try await server.get("/").headers["cache-control"] == "private, no-cache")
        }
        #expect(LivePage.policy.contains("script-src 'self';") && LivePage.policy.contains("default-src 'none'"))
    }

    @Test func `no description shows the password`() throws {
        let settings = try ReportServerSettings(password: "secret-of-the-test")
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(!dumped.contains("secret-of-the-test") && !"\(settings)".contains("secret-of-the-test"))
    }
}
