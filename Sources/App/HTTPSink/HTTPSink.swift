public import EventTracking
public import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where an ``EventSink`` of this module posts to.
public struct HTTPSinkConfiguration: Sendable {
    /// The collector's address, such as `https://events.example.com/v1/events`.
    public var url: URL
    /// The app's write key, asked for with every request: it may be another one after a pause.
    public var writeKey: @Sendable () -> String
    /// How long a request may take, answer included.
    public var timeout: Duration
    /// Whether bodies are compressed with gzip.
    public var compresses: Bool

    /// Creates a configuration.
    public init(
        url: URL,
        writeKey: @escaping @Sendable () -> String,
        timeout: Duration = .seconds(30),
        compresses: Bool = true
    ) {
        self.url = url
        self.writeKey = writeKey
        self.timeout = timeout
        self.compresses = compresses
    }

    /// Creates a configuration with a write key that stays the same.
    public init(url: URL, writeKey: String, timeout: Duration = .seconds(30), compresses: Bool = true) {
        self.init(url: url, writeKey: { writeKey }, timeout: timeout, compresses: compresses)
    }
}

extension EventSink {
    /// Posts events to a collector, in CloudEvents batches; see <doc:Protocol>.
    ///
    /// ```swift
    /// let edge = HTTPSinkConfiguration(url: url, writeKey: "wk_live_…")
    /// let tracker = Tracker(source: "app://com.example.shop", queue: queue, sink: .http(edge))
    /// ```
    ///
    /// - An event is delivered when the collector has accepted it, which it does after Kafka has it.
    /// - An event that the collector rejects is rejected alone, with the reason as its code.
    /// - What is too large for the collector (413) is sent in halves; an event that is too large alone is rejected.
    /// - No connection, a timeout, 408, 425, 429 and 5xx: sent again, not before `Retry-After`.
    /// - 401 and 403 pause the tracker, since nothing will get through until the write key is another.
    /// - Any other answer, such as one from a hotel's login page, is not understood and counts as a failure that may
    ///   pass: nothing is lost for it.
    ///
    /// Redirects are not followed: a write key is for one address. One batch is on its way at a time, so that order is
    /// kept.
    ///
    /// - Parameter configuration: where to post.
    public static func http(_ configuration: HTTPSinkConfiguration) -> EventSink {
        let client = HTTPClient(configuration)
        return EventSink(
            send: { events in await client.send(events) },
            shutdown: { client.close() },
            clock: { await client.clock() }
        )
    }
}
