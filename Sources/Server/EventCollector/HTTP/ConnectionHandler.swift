import FlowEvents
import HTTPTypes
internal import NIOCore
import NIOHTTPTypes

/// Closes the connections of clients that take too long to send the headers, the body or the next request, or to read
/// the answer. Keeps the ``ConnectionTable`` up to date.
///
/// Each deadline counts from the beginning of its part, so that a client cannot extend it by single bytes, or by the end of
/// a body. NIO's idle handlers begin anew with each byte.
///
/// It reads nothing from a connection while a request waits for its answer, or an answer for its reader. So a connection
/// holds at most one answer, and not the bodies of many pipelined requests.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Deadline {
        case idle
        case body
        case answer
        case rest
    }

    /// The time for the rest of a body that was answered before its end.
    private static let restTime = Duration.seconds(2)

    private let timeouts: CollectorTimeouts
    private let connections: ConnectionTable
    private let cors: CORS
    /// The headers of the request whose body is read.
    private var requestHeaders = HTTPFields()
    private var isReadingBody = false
    private var isAnswerStarted = false
    private var closesAfterAnswer = false
    private var unanswered = 0
    private var unwritten = 0
    private var isReadDelayed = false
    private var isRemoved = false
    private var current: (deadline: Deadline, time: NIODeadline)?
    // One timer for the whole connection, set again when it fires: canceling a timer makes NIO search the timers of all
    // connections.
    private var timer: (time: NIODeadline, task: Scheduled<Void>)?

    init(timeouts: CollectorTimeouts, connections: ConnectionTable, cors: CORS) {
        self.timeouts = timeouts
        self.connections = connections
        self.cors = cors
    }

    func handlerAdded(context: ChannelHandlerContext) {
        connections.opened(context.channel)?.close(promise: nil)
        start(.idle, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        isRemoved = true
        timer?.task.cancel()
        connections.closed(context.channel)
    }

    func read(context: ChannelHandlerContext) {
        if isReadingBody || (unanswered == 0 && unwritten == 0) {
            context.read()
        } else {
            isReadDelayed = true
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            requestHeaders = head.headerFields
            isReadingBody = true
            unanswered += 1
            connections.requestBegan(on: context.channel)
            start(.body, context)
            // Not between the parts of an earlier answer.
            if unanswered == 1, !isAnswerStarted, head.headerFields[.expect]?.lowercased() == "100-continue" {
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
        case .body: break
        case .end:
            isReadingBody = false
            // An idle connection keeps no headers.
            requestHeaders = HTTPFields()
            // The end of a body that was answered before does not end the time for reading that answer.
            if current?.deadline != .answer { current = nil }
            if unanswered == 0 { answered(context) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            isAnswerStarted = true
            closesAfterAnswer = closesAfterAnswer || head.headerFields[.connection] == "close"
            context.write(data, promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            isAnswerStarted = false
            unanswered -= 1
            unwritten += 1
            // The deadline of another request's body goes on.
            if current?.deadline != .body || unanswered == 0 { start(.answer, context) }
            let reservation = connections.takeAnswer(on: context.channel)
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.assumeIsolated().whenComplete { _ in
                withExtendedLifetime(reservation) {}
                self.answerWritten(context)
            }
            context.write(data, promise: written)
        }
    }

    private func answerWritten(_ context: ChannelHandlerContext) {
        unwritten -= 1
        guard !isRemoved, unwritten == 0 else { return }
        if current?.deadline == .answer { current = nil }
        if unanswered == 0 { answered(context) }
        if isReadDelayed {
            isReadDelayed = false
            read(context: context)
        }
    }

    /// All answers are sent.
    private func answered(_ context: ChannelHandlerContext) {
        guard unwritten == 0 else { return }
        connections.requestEnded(on: context.channel)
        if closesAfterAnswer, !isReadingBody { return context.close(promise: nil) }
        start(isReadingBody ? .rest : .idle, context)
    }

    private func start(_ deadline: Deadline, _ context: ChannelHandlerContext) {
        let allowed =
            switch deadline {
            case .idle: timeouts.idle
            case .body, .answer: timeouts.request
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
            let body = ByteBuffer(bytes: [UInt8](json: Problem.tooSlow))
            var headers: HTTPFields = [
                .contentType: "application/problem+json", .contentLength: "\(body.readableBytes)",
                .connection: "close",
            ]
            headers.complete(forAnswerTo: requestHeaders, cors)
            let head = HTTPResponse(status: .requestTimeout, headerFields: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(body)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        context.close(promise: nil)
    }
}
