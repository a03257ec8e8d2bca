import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import GRDB
import Synchronization
import Testing

@testable import FunnelStoreSQLite

@Suite struct SQLiteFunnelRebuilderTests {
    typealias Fixtures = StoreFixtures

    private let directory: TemporaryDirectory
    private var path: String { directory.file("funnels.sqlite") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `a commit waits for the switch, however much longer than for another program it takes`() throws {
        let store = try SQLiteFunnelStore(path: path, busyTimeout: .milliseconds(20))
        _ = try store.open(Fixtures.identity())
        let rebuilder = try SQLiteFunnelRebuilder(path: path)
        let isDone = DispatchSemaphore(value: 0)
        let result = Mutex<Result<CommitOutcome, any Error>?>(nil)
        try rebuilder.rebuild { _ in
            Thread.detachNewThread {
                let advance = Fixtures.advance(0, from: nil, to: 1)
                let outcome = Result {
                    try store.commit(StoreCommit(partitions: [advance], installs: [], summary: []))
                }
                result.withLock { $0 = outcome }
                isDone.signal()
            }
            // A multiple of the timeout.
            #expect(isDone.wait(timeout: .now() + 0.6) == .timedOut)
        }
        isDone.wait()
        let outcome = try #require(result.withLock { $0 }).get()
        #expect(outcome == .rebuilt(RebuiltFunnels(identity: try Fixtures.identity(), progress: [])))
        try store.close()
    }

    @Test func `a store that is not there or is empty is refused, and none is created`() throws {
        func refused(_ part: String, sourceLocation: SourceLocation = #_sourceLocation) {
            let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
                try SQLiteFunnelRebuilder(path: path)
            }
            #expect(error?.description.contains(part) == true, sourceLocation: sourceLocation)
        }
        refused("a consumer that counts there creates it")
        #expect(!FileManager.default.fileExists(atPath: path))
        try Data().write(to: URL(fileURLWithPath: path))
        refused("still empty")
        try SQLiteFunnelStore(path: path).close()
        #expect(try SQLiteFunnelRebuilder(path: path).identity() == nil)
    }
}
