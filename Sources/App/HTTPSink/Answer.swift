import EventTracking
import FlowEvents
import Foundation

/// The meaning of a collector's response. It depends only on the response.
enum Answer: Sendable {
    /// One result for each event, and the collector's time.
    case results([EventResult], clock: Timestamp?)
    /// The body is larger than the collector allows.
    case tooLarge
    /// A collector cannot read the body, or found another number of events in it: one of the events may be damaged.
    case unreadable(SinkFailure)
    /// The write key is not valid.
    case unauthorized(SinkFailure)
    /// A failure that can pass.
    case failed(SinkFailure, after: Duration? = nil)

    /// Interprets a response.
    ///
    /// - Parameters:
    ///   - status: the status code.
    ///   - count: the number of events in the request.
    ///   - header: returns the value of a header.
    ///   - body: the body of the response.
    ///   - now: the device's time, for a `Retry-After` date in a response without the collector's time.
    init(status: Int, to count: Int, header: (String) -> String?, body: Data, now: Timestamp) {
        let clock = (header("Edge-Time").flatMap { Timestamp($0) }) ?? header("Date").flatMap(HTTPDate.timestamp)
        let failure = SinkFailure(code: "http_\(status)", detail: "the collector answered \(status)")
        switch status {
        case 200:
            guard let body = try? JSONDecoder().decode(Results.self, from: body) else {
                self = .failed(.notUnderstood("status 200, but the body has no results of a collector"))
                return
            }
            let results = body.results
            if results.count != count, header("Edge-Time") != nil {
                self = .unreadable(.notUnderstood("\(results.count) results for \(count) events"))
            } else {
                self = .results(results, clock: clock)
            }
        // Only a collector sends this header. Another server's 400 says nothing about the events.
        case 400 where header("Edge-Time") != nil: self = .unreadable(failure)
        case 401: self = .unauthorized(failure)
        case 413: self = .tooLarge
        default:
            let after = header("Retry-After").flatMap { RetryAfter.duration($0, now: clock ?? now) }
            self = .failed(failure, after: after)
        }
    }

    /// Returns one outcome for each of the events.
    func outcomes(of events: [EncodedEvent]) -> [EventOutcome] {
        guard case .results(let results, _) = self else { return events.map { _ in outcome } }
        // Without exactly one result for each event, none can be assigned. Funnels count events that are sent again once.
        guard results.count == events.count else {
            let failure = SinkFailure.notUnderstood("\(results.count) results for \(events.count) events")
            return events.map { _ in .retry(failure) }
        }
        // A result without an id is that of an event that the collector could not read.
        if let (result, event) = zip(results, events).first(where: { $0.id ?? $1.id != $1.id }) {
            let failure = SinkFailure.notUnderstood("a result for the event \(result.id ?? "") in place of \(event.id)")
            return events.map { _ in .retry(failure) }
        }
        return results.map(\.outcome)
    }

    /// The outcome of an event without a result of its own.
    var outcome: EventOutcome {
        if case .tooLarge = self { return .rejected(.tooLarge) }
        return refusal.map(EventOutcome.init) ?? .delivered
    }

    /// Why the collector takes no events now; `nil` if it does.
    var refusal: SinkRefusal? {
        switch self {
        case .results: nil
        case .tooLarge: .retry(.tooLarge)
        case .unauthorized(let failure): .pause(failure)
        case .unreadable(let failure): .retry(failure)
        case .failed(let failure, let after): .retry(failure, after: after)
        }
    }

    private struct Results: Decodable {
        var results: [EventResult]
    }

    /// What the collector says of one event.
    struct EventResult: Decodable {
        var id: String?
        var status: String
        var reason: String?
        var detail: String?

        var outcome: EventOutcome {
            switch status {
            case "accepted": .delivered
            case "rejected":
                .rejected(SinkFailure(code: reason ?? "rejected", detail: detail ?? "the collector gave no detail"))
            // A status of a later release: the event is kept until the app understands it.
            default: .retry(.notUnderstood("the status \(status)"))
            }
        }
    }
}

extension SinkFailure {
    /// The failure of a single event that a collector cannot read. Only damaged memory of the device has such an event.
    static let damaged = SinkFailure(code: "not_json", detail: "the collector cannot read the event: it is not JSON")

    /// The failure of a body that is larger than the collector, or a proxy before it, allows.
    static let tooLarge = SinkFailure(code: "too_large", detail: "the collector does not accept a body of this size")

    static func notUnderstood(_ what: String) -> SinkFailure {
        SinkFailure(code: "not_understood", detail: "\(what); check the collector's address, and any proxy before it")
    }
}
