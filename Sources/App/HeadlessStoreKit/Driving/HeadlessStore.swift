import EventTracking
public import Foundation

/// An App Store that a test drives.
///
/// ```swift
/// let store = HeadlessStore()
/// store.prepare(.pending)
/// let result = try await store.product("pro.year", price: 39.99).purchase()
/// ```
public final class HeadlessStore: Sendable {
    /// The store whose updates `Transaction.updates` has.
    @TaskLocal public static var current: HeadlessStore?

    /// A purchase that the app has asked for.
    public struct Request: Sendable, Hashable {
        /// What was to be bought.
        public var productID: String
        /// The app's wishes.
        public var options: Set<Product.PurchaseOption>

        /// Creates a request.
        public init(productID: String, options: Set<Product.PurchaseOption>) {
            self.productID = productID
            self.options = options
        }
    }

    private struct State: Sendable {
        var answers: [Result<Product.PurchaseResult, any Error>] = []
        var requests: [Request] = []
        var finished: [UInt64] = []
        var waiting: [VerificationResult<Transaction>] = []
        var listeners: [AsyncStream<VerificationResult<Transaction>>.Continuation] = []
    }

    private let state = Locked(State())

    /// Creates a store without answers.
    public init() {}

    /// Returns a product of the store.
    public func product(
        _ id: String,
        price: Decimal,
        currency: String = "EUR",
        type: Product.ProductType = .autoRenewable
    ) -> Product {
        Product(id: id, type: type, price: price, priceFormatStyle: .currency(code: currency), store: self)
    }

    /// Says how the next purchase ends.
    public func prepare(_ result: Product.PurchaseResult) {
        state.withLock { $0.answers.append(.success(result)) }
    }

    /// Says that the next purchase fails.
    public func prepare(failure: any Error) {
        state.withLock { $0.answers.append(.failure(failure)) }
    }

    /// Sends an update to all who listen. Before anybody does, it waits.
    public func update(_ result: VerificationResult<Transaction>) {
        let listeners = state.withLock { state in
            if state.listeners.isEmpty { state.waiting.append(result) }
            return state.listeners
        }
        for listener in listeners { listener.yield(result) }
    }

    /// Ends the updates, as Apple's never do, so that a test can wait until all are handled.
    public func endUpdates() {
        for listener in state.withLock({ $0.listeners }) { listener.finish() }
    }

    /// The purchases that the app has asked for.
    public var requests: [Request] { state.withLock { $0.requests } }

    /// The ids of the transactions that the app has finished.
    public var finished: [UInt64] { state.withLock { $0.finished } }

    func noteFinished(_ id: UInt64) {
        state.withLock { $0.finished.append(id) }
    }

    func answer(to request: Request) throws -> Product.PurchaseResult {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        guard let answer else { throw StoreKitError.unknown }
        return try answer.get()
    }

    func listen() -> AsyncStream<VerificationResult<Transaction>> {
        let (stream, continuation) = AsyncStream.makeStream(of: VerificationResult<Transaction>.self)
        let waiting = state.withLock { state in
            state.listeners.append(continuation)
            defer { state.waiting = [] }
            return state.waiting
        }
        for result in waiting { continuation.yield(result) }
        return stream
    }
}
