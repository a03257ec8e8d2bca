import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Testing

@Suite struct AuditTests {
    typealias Fixtures = StoreFixtures

    private func rows(_ audit: any FunnelAudit) throws -> [StoredInstall] {
        var rows: [StoredInstall] = []
        try audit.forEachInstall { rows.append($0) }
        return rows
    }

    @Test(arguments: StoreUnderTest.all)
    func `an audit sees the identity, the progress, and every row once`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        // More rows than any store reads at once.
        let names = (0..<5_000).map { "install-\($0)" } + ["", "\u{0}"]
        try open.commit(
            [Fixtures.advance(2, from: nil, to: 7, watermark: 3, quality: Quality(events: 7))],
            names.map { Fixtures.write($0, after: 0, "state of \($0)") }
        )
        for _ in 0..<2 {
            try open.reader.withAudit { audit throws in
                #expect(try audit.identity() == Fixtures.identity())
                #expect(try audit.progress() == open.store.progress())
                #expect(try audit.summary.quality() == Quality(events: 7))
                for _ in 0..<2 {
                    let rows = try rows(audit)
                    #expect(rows.count == names.count)
                    #expect(Set(rows) == Set(names.map { Fixtures.row($0, 1, "state of \($0)") }))
                }
            }
        }
    }

    @Test(arguments: StoreUnderTest.all)
    func `an audit sees one state while commits go on`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        try open.commit([Fixtures.advance(0, from: nil, to: 1)], [Fixtures.write("a", after: 0, "1")])
        try open.reader.withAudit { audit throws in
            let progress = try audit.progress()
            try open.commit(
                [Fixtures.advance(0, from: 1, to: 2)],
                [Fixtures.write("a", after: 1, "2"), Fixtures.write("b", after: 0, "1")]
            )
            #expect(try rows(audit) == [Fixtures.row("a", 1, "1")])
            #expect(try audit.progress() == progress)
        }
        let later = try open.reader.withAudit { try rows($0) }
        #expect(Set(later) == [Fixtures.row("a", 2, "2"), Fixtures.row("b", 1, "1")])
    }

    @Test(arguments: StoreUnderTest.all)
    func `an audit rethrows the body's errors, and another audit can follow`(kind: StoreUnderTest) throws {
        let open = try OpenStore(kind)
        try open.commit([], [Fixtures.write("a", after: 0, "1")])
        let reader = try open.reader
        #expect(throws: StoreTestFailure.self) {
            try reader.withAudit { try $0.forEachInstall { _ in throw StoreTestFailure("mine") } }
        }
        #expect(try reader.withAudit { try rows($0) } == [Fixtures.row("a", 1, "1")])
    }
}
