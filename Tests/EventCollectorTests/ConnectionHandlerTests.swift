import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import EventCollector

@Suite struct ConnectionHandlerTests {
    private let timeouts = CollectorTimeouts()

    private func connect(_ table: ConnectionTable, _ headers: HTTPFields = [:]) throws -> EmbeddedChannel {
        let cors = CORS(origins: ["https://shop.example.com"])
        let handler = ConnectionHandler(timeouts: timeouts, connections: table, cors: cors)
        let channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let post = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "a",
            path: "/v1/events",
            headerFields: headers
        )
        try channel.writeInbound(HTTPRequestPart.head(post))
        return channel
    }

    /// Answers, without a reader: the answer is never written.
    private func answer(_ channel: EmbeddedChannel) {
        channel.pipeline.write(HTTPResponsePart.head(HTTPResponse(status: .unauthorized)), promise: nil)
        channel.pipeline.write(HTTPResponsePart.end(nil), promise: nil)
    }

    @Test func `who asks before sending the body is told to send it, and the answer follows`() throws {
        let channel = try connect(ConnectionTable(limit: 10), [.expect: "100-Continue"])
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == .head(HTTPResponse(status: .continue)))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        answer(channel)
        channel.flush()
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == .head(HTTPResponse(status: .unauthorized)))
    }

    @Test func `a page of another origin can read that its request was too slow`() throws {
        let channel = try connect(ConnectionTable(limit: 10), [.origin: "https://shop.example.com"])
        channel.embeddedEventLoop.advanceTime(by: TimeAmount(timeouts.request))
        guard case .head(let head) = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("there is no answer")
            return
        }
        #expect(head.status == .requestTimeout)
        #expect(head.headerFields[.accessControlAllowOrigin] == "https://shop.example.com")
        #expect(head.headerFields[.edgeTime] != nil)
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
