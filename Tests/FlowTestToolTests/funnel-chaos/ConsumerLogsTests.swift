import Testing

@testable import funnel_chaos

@Suite struct ConsumerLogsTests {
    @Test func `assignments and fences are counted over all logs`() throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        let assigned = "2026-11-21T05:32:02+0000 info funnel-consumer: partitions=[4, 5] [FunnelConsumer] assigned\n"
        let fenced =
            "2026-11-21T05:33:06+0000 warning funnel-consumer: [FunnelConsumer] another consumer has moved these "
            + "partitions on; reading again from the store's offsets\n"
        try workspace.write(assigned + assigned + "reading\n", to: "consumer-0-1.log")
        try workspace.write(fenced + assigned, to: "rival-2.log")
        try workspace.write(fenced, to: "torments.txt")
        let logs = try ConsumerLogs(in: workspace)
        #expect(logs.assignments == 3)
        #expect(logs.fences == 1)
    }
}
