import FlowTestSupport
import FunnelServiceSupport
import Logging
import Testing

struct WarningsOnlyTests {
    @Test func `a library's warnings and errors are passed on, but not that its task was canceled`() {
        let lines = LogLines()
        let logger = Logger(label: "library") { _ in WarningsOnly(lines.logger) }
        logger.info("a request")
        logger.warning("a slow client")
        logger.error("Waiting on child channel: CancellationError()")
        logger.error("Server shutdown error: Already closed")
        logger.error("no more file descriptors", metadata: ["limit": "256"])
        #expect(lines.all == ["warning a slow client [:]", "error no more file descriptors [\"limit\": 256]"])
    }
}
