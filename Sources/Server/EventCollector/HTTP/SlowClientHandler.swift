import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes the connections of clients that take too long to send the headers, the body or the next request.
///
/// Each deadline counts from the begin of its part, so that a client cannot extend it by sending single bytes. NIO's
/// idle handlers begin anew with each byte.
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

    /// The time for the rest of a body that was answered before its end.
    private static let restTime = Duration.seconds(2)

    private let timeouts: CollectorTimeouts
    private var isReadingBody = false
    private var isAnswerStarted = false
    private var unanswered = 0
    private var current: (deadline: Deadline, time: NIODeadline)?
    // One timer for the whole connection, set again when it fires: canceling a timer makes NIO search the timers of all
    // connections.
    private var timer: (time: NIODeadline, task: Scheduled<Void>)?

    init(timeouts: CollectorTimeouts) {
        self.timeouts = timeouts
    }

    func handlerAdded(context: ChannelHandlerContext) {
        start(.idle, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.task.cancel()
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
            current = nil
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
        let allowed =
            switch deadline {
            case .idle: timeouts.idle
            case .body: timeouts.request
            case .rest: Self.restTime
            }
        let time = context.eventLoop.now + TimeAmount(allowed)
        current = (deadline, time)
        if let timer, timer.time <= time { return }
        timer?.task.cancel()
        setTimer(at: time, context)
    }

    private func setTimer(at time: NIODeadline, _ context: ChannelHandlerContext) {
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.timerFired(context) }
        timer = (time, task)
    }

    private func timerFired(_ context: ChannelHandlerContext) {
        timer = nil
        guard let (deadline, time) = current else { return }
        guard context.eventLoop.now >= time else { return setTimer(at: time, context) }
        current = nil
        expire(deadline, context)
    }

    private func expire(_ deadline: Deadline, _ context: ChannelHandlerContext) {
        if deadline == .body, !isAnswerStarted, unanswered == 1 {
            let body = ByteBuffer(bytes: Problem.tooSlow.json)
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
