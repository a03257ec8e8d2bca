package import Hummingbird
package import NIOCore

/// What a program adds to the collector inside it.
///
/// ```swift
/// let companion = CollectorCompanion(
///     respond: { request, channel in await pages.answer(to: request, on: channel) },
///     onRefusal: { refusal in feed.append(refusal) }
/// )
/// ```
package struct CollectorCompanion: Sendable {
    /// Answers a request for what is not the collector's; `nil` leaves it to the collector.
    let respond: @Sendable (Request, any Channel) async -> Response?
    /// Called with what the collector does not take, before it answers.
    let onRefusal: @Sendable (CollectorRefusal) -> Void

    /// Creates a companion.
    ///
    /// - Parameters:
    ///   - respond: answers a request for what is not the collector's; `nil` leaves it to the collector.
    ///   - onRefusal: called with what the collector does not take, before it answers.
    package init(
        respond: @escaping @Sendable (_ request: Request, _ channel: any Channel) async -> Response?,
        onRefusal: @escaping @Sendable (CollectorRefusal) -> Void
    ) {
        self.respond = respond
        self.onRefusal = onRefusal
    }
}

/// What a collector did not take.
package enum CollectorRefusal: Sendable, Hashable {
    /// A whole request: its path, the status of the answer, and what was wrong with it.
    case request(path: String, status: Int, detail: String)
    /// An event, as it was sent, with the reason and the detail of the answer.
    case event([UInt8], reason: String, detail: String)
}
