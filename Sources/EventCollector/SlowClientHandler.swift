import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Cuts clients off that take too long: for the headers, for the body, or between two requests.
///
/// Every deadline counts from where its part begins, so that a byte now and then does not move it. NIO's idle handlers
/// begin anew with each byte.
final class SlowClientHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Deadline {
        case idle
        case body
        case rest
    }

    /// How long the rest of a body may take that was answered before its end.
    private static let restTime = Duration.seconds(2)

    private let timeouts: CollectorTimeouts
    private var isReadingBody = false
    private var isAnswerStarted = false
    private var unanswered = 0
    private var timer: Scheduled<Void>?

    init(timeouts: CollectorTimeouts) {
        self.timeouts = timeouts
    }

    func handlerAdded(context: ChannelHandlerContext) {
        start(.idle, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReadingBody = true
            unanswered += 1
            start(.body, context)
        case .body: break
        case .end:
            isReadingBody = false
            timer?.cancel()
            if unanswered == 0 { start(.idle, context) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head: isAnswerStarted = true
        case .body: break
        case .end:
            isAnswerStarted = false
            unanswered -= 1
            if unanswered == 0 { start(isReadingBody ? .rest : .idle, context) }
        }
        context.write(data, promise: promise)
    }

    private func start(_ deadline: Deadline, _ context: ChannelHandlerContext) {
        timer?.cancel()
        let time =
            switch deadline {
            case .idle: timeouts.idle
            case .body: timeouts.request
            case .rest: Self.restTime
            }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
            self.expire(deadline, context)
        }
    }

    private func expire(_ deadline: Deadline, _ context: ChannelHandlerContext) {
        if deadline == .body, !isAnswerStarted, unanswered == 1 {
            let body = ByteBuffer(string: Problem.tooSlow.json)
            let head = HTTPResponse(
                status: .requestTimeout,
                headerFields: [
                    .contentType: "application/problem+json", .contentLength: "\(body.readableBytes)",
                    .connection: "close",
                ]
            )
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(body)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        context.close(promise: nil)
    }
}
