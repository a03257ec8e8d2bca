package import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Keeps the rules of HTTP/1 that the server's own types do not know: which version a client speaks, and how many `Host`
/// fields it has sent.
///
/// A request of HTTP/1.0 is answered in HTTP/1.0: without chunks, and the connection is closed after the answer unless the
/// client has asked to keep it ([RFC 9112, 9.3](https://www.rfc-editor.org/rfc/rfc9112#section-9.3)). A request of HTTP/1.1
/// without a `Host`, or any with more than one or an invalid one, is answered with 400
/// ([RFC 9112, 3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2)): a proxy and the server could read different names
/// in it.
///
/// Add ``Installer`` to the handlers of a server's connection; it puts the guard where the parts of NIO pass.
final class HTTP1Guard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request that waits for its answer.
    private struct Exchange {
        let isOld: Bool
        var closes: Bool
    }

    private var exchanges: [Exchange] = []
    /// Why a request is refused. Nothing behind it is read.
    private var refusal: HTTP1Refusal?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            if let found = HTTP1Refusal(head) {
                refusal = found
                // The answers of earlier requests come first.
                if exchanges.isEmpty { refuse(context) }
                return
            }
            let isOld = head.version.minor == 0
            exchanges.append(Exchange(isOld: isOld, closes: isOld && !head.isKeepAlive))
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let exchange = exchanges.first, exchange.isOld else {
            let isEnd = if case .end = unwrapOutboundIn(data) { true } else { false }
            context.write(data, promise: promise)
            if isEnd { answered(context) }
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            // HTTP/1.0 has no such answers.
            guard head.status.code >= 200 else { return promise?.succeed() ?? () }
            head.version = .http1_0
            head.headers.remove(name: "transfer-encoding")
            // Without a length, only the end of the connection ends the body.
            if !head.headers.contains(name: "content-length") { exchanges[0].closes = true }
            let closes = exchanges[0].closes || head.headers["connection"].contains { $0.lowercased() == "close" }
            exchanges[0].closes = closes
            head.headers.replaceOrAdd(name: "connection", value: closes ? "close" : "keep-alive")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            guard exchange.closes else {
                context.write(data, promise: promise)
                return answered(context)
            }
            exchanges.removeFirst()
            let written = promise ?? context.eventLoop.makePromise()
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
            context.writeAndFlush(data, promise: written)
        }
    }

    private func answered(_ context: ChannelHandlerContext) {
        if !exchanges.isEmpty { exchanges.removeFirst() }
        if refusal != nil, exchanges.isEmpty { refuse(context) }
    }

    private func refuse(_ context: ChannelHandlerContext) {
        guard let refusal else { return }
        let body = ByteBuffer(string: refusal.json)
        let head = HTTPResponseHead(
            version: .http1_1,
            status: refusal.status,
            headers: [
                "content-type": "application/problem+json", "content-length": "\(body.readableBytes)",
                "connection": "close",
            ]
        )
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }
}

/// Why a request of HTTP/1 is not answered by the server.
struct HTTP1Refusal: Sendable, Hashable {
    let status: HTTPResponseStatus
    let detail: String

    /// - Returns: `nil` for a request that may pass.
    init?(_ head: HTTPRequestHead) {
        guard head.version.major == 1 else {
            self.init(.httpVersionNotSupported, "expected HTTP/1.1 or HTTP/1.0")
            return
        }
        let hosts = head.headers["host"]
        if hosts.isEmpty, head.version.minor >= 1 {
            self.init(.badRequest, "Host: expected one in a request of HTTP/1.1, found none")
        } else if hosts.count > 1 {
            self.init(.badRequest, "Host: expected one, found \(hosts.count)")
        } else if let host = hosts.first, !Self.isHost(host) {
            self.init(.badRequest, "Host: expected a name or an address, with a port if need be")
        } else {
            return nil
        }
    }

    private init(_ status: HTTPResponseStatus, _ detail: String) {
        self.status = status
        self.detail = detail
    }

    // The characters of `uri-host [ ":" port ]`, RFC 3986, without a search for the exact grammar: what a proxy could read
    // as two names, or as the end of one, is not among them.
    private static func isHost(_ host: String) -> Bool {
        host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~%!$&'()*+;=:[]".utf8.contains(byte)
            }
        }
    }

    /// The answer's body, [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457). The details have nothing to escape.
    var json: String {
        #"{"title":"\#(status.reasonPhrase)","status":\#(status.code),"detail":"\#(detail)"}"#
    }
}

/// Puts the rules of HTTP/1 into a connection, before the server's own handlers. It is added behind the codec.
package final class HTTP1GuardInstaller: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = Any

    /// Creates an installer for one connection.
    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(HTTP1Guard(), position: .before(codec))
        } catch {
            // A connection without the codec is none of this server.
            context.close(promise: nil)
        }
    }
}
