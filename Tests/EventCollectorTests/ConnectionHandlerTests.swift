import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import EventCollector

@Suite struct ConnectionHandlerTests {
    private let timeouts = CollectorTimeouts()

    private func connect(_ table: ConnectionTable) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionHandler(timeouts: timeouts, connections: table))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let post = HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/v1/events")
        try channel.writeInbound(HTTPRequestPart.head(post))
        return channel
    }

    /// Answers, without a reader: the answer is never written.
    private func answer(_ channel: EmbeddedChannel) {
        channel.pipeline.write(HTTPResponsePart.head(HTTPResponse(status: .unauthorized)), promise: nil)
        channel.pipeline.write(HTTPResponsePart.end(nil), promise: nil)
    }

    @Test(arguments: [false, true])
    func `who does not read the answer is closed, also where the body ends after it`(endsLater: Bool) throws {
        let channel = try connect(ConnectionTable(limit: 10))
        if !endsLater { try channel.writeInbound(HTTPRequestPart.end(nil)) }
        answer(channel)
        if endsLater { try channel.writeInbound(HTTPRequestPart.end(nil)) }
        channel.embeddedEventLoop.advanceTime(by: TimeAmount(timeouts.request) - .milliseconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(!channel.isActive)
    }
}
