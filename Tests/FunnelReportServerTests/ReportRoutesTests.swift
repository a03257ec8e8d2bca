import FlowTestSupport
import Foundation
import FunnelReports
import FunnelStoreSQLite
import FunnelStoreTestSupport
import FunnelServiceSupport
import Funnels
import HTTPTypes
import Hummingbird
import Testing

@testable import FunnelReportServer

/// What the paths of a server answer.
@Suite(.waits, .timeLimit(.minutes(10))) struct ReportRoutesTests {
    @Test func `the JSON is that of the command, for all funnels and for one, with all options`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let reader = try SQLiteFunnelReader(path: filled.path)
            func expected(_ request: ReportRequest) throws -> String {
                try reader.withSnapshot { snapshot in
                    var report = try FunnelReport.make(from: snapshot, funnels: reader.funnels, request)
                    report.unreadPartitions = try snapshot.unreadPartitions(now: .current)
                    return JSONReport.render(report)
                }
            }
            let all = try await server.get("/api/v1/funnels")
            #expect(all.status == 200)
            #expect(all.headers["content-type"] == "application/json")
            #expect(try all.body == expected(ReportRequest()))
            let query = "from=2026-11-16&to=2026-11-22&by=week&settled&compare=1&times=true"
            let one = try await server.get("/api/v1/funnels/second?\(query)")
            var request = ReportRequest(funnels: ["second"], isSettledOnly: true, trend: .week, isCompared: true)
            request.days = .between(Day("2026-11-16"), Day("2026-11-22"))
            request.hasTimes = true
            #expect(try one.body == expected(request))
            let last = try await server.get("/api/v1/funnels/first?last=7d&from=&by=")
            let week = try #require(LastDays("7d"))
            #expect(try last.body == expected(ReportRequest(funnels: ["first"], days: .last(week))))
        }
    }

    @Test func `the overview has each funnel's conversion, and links to its page`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let page = try await server.get("/")
            #expect(page.status == 200)
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            for part in [
                "href=\"funnels/first\"", "href=\"funnels/second\"", "<strong>25.0%</strong> of 1,400 installs",
            ] {
                #expect(page.body.contains(part), "\(part)")
            }
            #expect(page.body.contains("<script src=\"refresh.js\" defer></script>"))
            #expect(try await server.get("/refresh.js").headers["content-type"] == "text/javascript; charset=utf-8")
        }
    }

    @Test func `the page of a funnel shows what its URL says, and its form says the same`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let page = try await server.get("/funnels/first?from=2026-11-20&to=2026-11-21&by=day&compare=1")
            #expect(page.status == 200)
            for part in [
                "<b>200</b> installs", "name=\"from\" value=\"2026-11-20\"", "name=\"to\" value=\"2026-11-21\"",
                "<option value=\"day\" selected>", "name=\"compare\" value=\"1\" checked", "Compared with",
                "href=\"../api/v1/funnels/first?from=2026-11-20&amp;to=2026-11-21&amp;by=day&amp;compare\"",
                "src=\"../refresh.js\"",
            ] {
                #expect(page.body.contains(part), "\(part)")
            }
            #expect(!page.body.contains("http-equiv"))
        }
    }

    @Test(arguments: [
        "nothing=1", "from=2026-02-30", "from=2026-11-20&to=2026-11-19", "last=0d", "last=7", "by=hour",
        "settled=maybe",
        "from=2026-11-01&from=2026-11-02", "last=7d&from=2026-11-01", "compare", "from=%", "from=%zz", "from=%ff",
        "by=%3Cscript%3E", "from=0001-01-01&to=9999-12-31&by=day", String(repeating: "x", count: 600),
    ])
    func `a query that asks for no report is answered with 400 and the parameters`(query: String) async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            for path in ["/api/v1/funnels", "/api/v1/funnels/first"] {
                let answer = try await server.raw("\(path)?\(query)")
                #expect(answer.status == 400, "\(path)")
                #expect(answer.body.contains("last=N(d|w|m)"), "\(path)")
                #expect(answer.headers["content-type"]?.hasPrefix("text/html") == false)
                #expect(answer.headers["x-content-type-options"] == "nosniff")
            }
            // A person gets the form again.
            let page = try await server.raw("/funnels/first?\(query)")
            #expect(page.status == 400 && page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(page.body.contains("<form") && page.body.contains("href=\"../\""))
            #expect(!page.body.contains("<script"))
            #expect(page.headers["content-security-policy"] == LivePage.policy)
        }
    }

    @Test func `a form that asks for a comparison without days says so, and keeps what was chosen`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let page = try await server.get("/funnels/first?last=&from=2026-11-20&to=&by=week&compare=1")
            #expect(page.status == 400)
            for part in [
                "<p class=\"say\"><bdi>&#39;compare&#39; needs a first and a last day", "value=\"2026-11-20\"",
                "<option value=\"week\" selected>", "name=\"compare\" value=\"1\" checked",
            ] {
                #expect(page.body.contains(part), "\(part)")
            }
            let long = try await server.get("/funnels/first?from=0001-01-01&to=9999-12-31&by=day")
            #expect(long.status == 400 && long.body.contains("buckets") && long.body.contains("value=\"0001-01-01\""))
        }
    }

    @Test func `a path with a slash at its end leads to the one whose links work`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let answer = try await server.raw("/funnels/first/?last=7d")
            #expect(answer.status == 301 && answer.headers["location"] == "../first?last=7d")
        }
    }

    @Test func `a page without a settled day does not say that nobody came`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let page = try await server.get("/funnels/first?from=2030-01-01&to=2030-01-02&settled=1")
            #expect(page.status == 200 && page.body.contains("No day to report"))
            #expect(!page.body.contains("No installs reached"))
        }
    }

    @Test func `an unknown funnel and an unknown path are 404, and other methods are refused`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let page = try await server.get("/funnels/third")
            #expect(page.status == 404 && page.body.contains("the store has first, second"))
            let problem = try await server.get("/api/v1/funnels/third")
            #expect(problem.status == 404 && problem.headers["content-type"] == "application/problem+json")
            let json = try JSONSerialization.jsonObject(with: Data(problem.body.utf8)) as? [String: Any]
            #expect(json?["status"] as? Int == 404)
            let tag = try #require(try await server.get("/").headers["etag"])
            for known in [tag, "*"] {
                #expect(try await server.get("/api/v1/funnels/third", ["If-None-Match": known]).status == 404)
            }
            let longName = String(repeating: "x", count: 1000)
            #expect(try await server.get("/funnels/\(longName)").status == 404)
            #expect(try await server.get("/elsewhere").status == 404)
            #expect(try await server.get("/?x=1").status == 400)
            for (path, method) in [("/", "POST"), ("/api/v1/funnels/first", "PUT"), ("/healthz", "DELETE")] {
                let refusal = try await server.get(path, method: method)
                #expect(refusal.status == 405 && refusal.headers["allow"] == "GET, HEAD", "\(path)")
            }
            #expect(try await server.get("/", method: "HEAD").status == 200)
        }
    }

    @Test func `health, readiness and metrics with the settled conversion of seven days`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            #expect(try await server.get("/healthz").status == 200)
            #expect(try await server.get("/readyz").status == 200)
            let metrics = try await server.get("/metrics").body
            for line in [
                "funnel_report_store_up 1", #"funnel_report_settled_conversion{funnel="first"} 0.25"#,
                #"funnel_report_settled_actors{funnel="second"} 280"#,
                #"funnel_report_requests_total{status="200"} 2"#,
            ] {
                #expect(metrics.contains(line + "\n"), "\(line)")
            }
        }
    }

    @Test func `the OpenAPI document has all routes and parameters, and no others`() async throws {
        let filled = try FilledStore()
        let settings = try ReportServerSettings()
        let metrics = ReportMetrics()
        let desk = ReportDesk(filled.opening, limits: settings.limits, metrics: metrics)
        let routes = ReportRoutes(desk: desk, metrics: metrics, password: nil).router().routes
        let paths = Set(routes.filter { $0.method == .get }.map { "\($0.path)" })
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(PackageResources.openapi_json)) as? [String: Any]
        )
        let documented = try #require(document["paths"] as? [String: [String: [String: Any]]])
        #expect(Set(documented.keys) == paths)
        let components = try #require(document["components"] as? [String: [String: [String: Any]]])
        let parameters = try #require(components["parameters"])
        #expect(Set(parameters.keys) == Set(ReportQuery.parameters.map(\.name)))
        for parameter in ReportQuery.parameters {
            #expect(parameters[parameter.name]?["description"] as? String == parameter.help)
        }
        for (path, operations) in documented {
            let references = (operations["get"]?["parameters"] as? [[String: Any]] ?? []).compactMap {
                $0["$ref"] as? String
            }
            let hasOptions = path.contains("funnels")
            #expect(references.count == (hasOptions ? parameters.count : 0), "\(path)")
        }
    }

    @Test func `If-None-Match may be a list with weak tags`() throws {
        let filled = try FilledStore()
        let reader = try SQLiteFunnelReader(path: filled.path)
        let tag = try reader.withSnapshot { try StoreTag(reader, $0, now: .current) }
        for known in ["\"\(tag.text)\"", "W/\"\(tag.text)\"", "\"x\", \"\(tag.text)\"", "*"] {
            #expect(ReportRoutes.isNamed(tag, in: known), "\(known)")
        }
        for known in ["", tag.text, "\"x\"", "\"\(tag.text)x\""] {
            #expect(!ReportRoutes.isNamed(tag, in: known), "\(known)")
        }
    }
}
