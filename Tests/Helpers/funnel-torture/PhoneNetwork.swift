import EventTracking
import NIOCore
import NIOPosix
import FunnelTortureSupport

/// The network between the phones and the collector: a TCP proxy that can inject failures.
final class PhoneNetwork: Sendable {
    /// The port that the apps connect to.
    let port: Int
    private let server: NIOAsyncChannel<Connection, Never>
    private let state = Locked(State())

    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private struct State {
        var upstream: Int?
        var trouble: NetworkTrouble?
        var open: [ObjectIdentifier: any Channel] = [:]
    }

    /// Listens on a free port.
    init() async throws {
        server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
        guard let port = server.channel.localAddress?.port else { throw TortureFailure("the proxy has no port") }
        self.port = port
    }

    /// Sets the port of the collector; `nil` while the collector does not run.
    func connect(to port: Int?) {
        state.withLock { $0.upstream = port }
    }

    /// Begins a network failure; `nil` ends it.
    func setTrouble(_ trouble: NetworkTrouble?) {
        let open = state.withLock { state in
            state.trouble = trouble
            return trouble == .refused ? Array(state.open.values) : []
        }
        for channel in open { channel.close(promise: nil) }
    }

    /// Forwards bytes until the task is canceled.
    func run() async throws {
        try await server.executeThenClose { clients in
            try await withThrowingDiscardingTaskGroup { group in
                for try await client in clients {
                    // A broken connection is an expected result of the failures.
                    group.addTask { try? await self.serve(client) }
                }
            }
        }
    }

    private func serve(_ client: Connection) async throws {
        let (upstream, trouble) = state.withLock { ($0.upstream, $0.trouble) }
        try await client.executeThenClose { requests, answers in
            guard let upstream, trouble != .refused else { return }
            let collector = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: upstream) { channel in
                    channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
                }
            let id = ObjectIdentifier(client.channel)
            state.withLock { $0.open[id] = client.channel }
            defer { state.withLock { _ = $0.open.removeValue(forKey: id) } }
            try await collector.executeThenClose { inbound, outbound in
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        for try await bytes in requests { try await self.pass(bytes, to: outbound, isAnswer: false) }
                    }
                    group.addTask {
                        for try await bytes in inbound { try await self.pass(bytes, to: answers, isAnswer: true) }
                    }
                    // HTTP closes both directions at once.
                    try await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    private func pass(
        _ bytes: ByteBuffer,
        to writer: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        isAnswer: Bool
    ) async throws {
        while state.withLock({ $0.trouble }) == .stalled { try await Task.sleep(for: .milliseconds(20)) }
        if isAnswer, state.withLock({ $0.trouble }) == .answersLost { throw TortureFailure("the answer is lost") }
        try await writer.write(bytes)
    }
}
