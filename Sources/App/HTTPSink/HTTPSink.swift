public import EventTracking
public import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The collector that an HTTP sink posts to.
///
/// ```swift
/// let configuration = HTTPSinkConfiguration(url: url, writeKey: "wk_live_…", timeout: .seconds(10))
/// ```
public struct HTTPSinkConfiguration: Sendable {
    /// The collector's address, such as `https://events.example.com/v1/events`.
    public var url: URL
    /// Returns the app's write key. It is called for every request, so the key may change after a pause.
    public var writeKey: @Sendable () -> String
    /// The maximum duration of a request, including the response.
    public var timeout: Duration
    /// Whether bodies are compressed with gzip.
    public var compresses: Bool

    /// Creates a configuration with a write key that may change.
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

    /// Creates a configuration with a fixed write key.
    public init(url: URL, writeKey: String, timeout: Duration = .seconds(30), compresses: Bool = true) {
        self.init(url: url, writeKey: { writeKey }, timeout: timeout, compresses: compresses)
    }
}

extension EventSink {
    /// Posts events to a collector, in CloudEvents batches; see <doc:Protocol>.
    ///
    /// ```swift
    /// let collector = HTTPSinkConfiguration(url: url, writeKey: "wk_live_…")
    /// let tracker = Tracker(source: "app://com.example.shop", queue: queue, sink: .http(collector))
    /// ```
    ///
    /// - An event is delivered when the collector has accepted it. The collector accepts an event after Kafka has
    ///   acknowledged it.
    /// - An event that the collector rejects is rejected alone. The reason is the code of the failure.
    /// - A batch that is too large (413) is sent in halves. A single event that is too large is rejected.
    /// - A batch that the collector cannot read (400) is sent in halves, too. A single event that it cannot read is
    ///   rejected with the code `not_json`: the device has damaged it.
    /// - After a connection error, a timeout, 408, 425, 429 and 5xx, the batch is sent again, after `Retry-After` or later.
    /// - 401 pauses the tracker, because the write key is not valid.
    /// - Any other response, such as one from a hotel's login page, counts as a failure that can pass. The events are sent
    ///   again.
    ///
    /// The sink does not follow redirects, because the write key is meant for one address. It sends one batch at a time, to
    /// keep the order of the events.
    ///
    /// - Parameter configuration: the collector to post to.
    public static func http(_ configuration: HTTPSinkConfiguration) -> EventSink {
        let client = HTTPClient(configuration)
        return EventSink(
            send: { events in await client.send(events) },
            shutdown: { client.close() },
            clock: { await client.clock() }
        )
    }
}
