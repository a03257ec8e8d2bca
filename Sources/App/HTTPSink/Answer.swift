import EventTracking
import FlowEvents
import Foundation

/// What a collector's response means. A value: the same response means the same, whenever.
enum Answer: Sendable {
    /// One result for each event, and the collector's clock.
    case results([EventOutcome], clock: Timestamp?)
    /// The body is larger than the collector takes.
    case tooLarge
    /// The write key is not valid.
    case unauthorized(SinkFailure)
    /// It may pass.
    case failed(SinkFailure, after: Duration? = nil)

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - status: the status code.
    ///   - header: a header's value.
    ///   - body: the body.
    ///   - now: the device's clock, for a `Retry-After` that is a date and comes without the collector's clock.
    init(status: Int, header: (String) -> String?, body: Data, now: Timestamp) {
        let clock = (header("Edge-Time").flatMap { Timestamp($0) }) ?? header("Date").flatMap(HTTPDate.timestamp)
        let failure = SinkFailure(code: "http_\(status)", detail: "the collector answered \(status)")
        switch status {
        case 200:
            guard let results = try? JSONDecoder().decode(Results.self, from: body) else {
                self = .failed(.notUnderstood("200, but not a collector's results"))
                return
            }
            self = .results(results.results.map(\.outcome), clock: clock)
        case 401, 403: self = .unauthorized(failure)
        case 413: self = .tooLarge
        default:
            let after = header("Retry-After").flatMap { RetryAfter.duration($0, now: clock ?? now) }
            self = .failed(failure, after: after)
        }
    }

    /// One outcome for each of the events.
    func outcomes(of events: [EncodedEvent]) -> [EventOutcome] {
        guard case .results(let outcomes, _) = self else { return events.map { _ in outcome } }
        // Results that are not one for each event are nothing to go by; sent again, the events count once.
        guard outcomes.count == events.count else {
            let failure = SinkFailure.notUnderstood("\(outcomes.count) results for \(events.count) events")
            return events.map { _ in .retry(failure) }
        }
        return outcomes
    }

    /// What it means for an event that has no result of its own.
    var outcome: EventOutcome {
        switch self {
        case .results: .delivered
        case .tooLarge: .rejected(SinkFailure(code: "too_large", detail: "the collector takes no body of this size"))
        case .unauthorized(let failure): .pause(failure)
        case .failed(let failure, let after): .retry(failure, after: after)
        }
    }

    private struct Results: Decodable {
        var results: [Result]
    }

    private struct Result: Decodable {
        var status: String
        var reason: String?
        var detail: String?

        var outcome: EventOutcome {
            switch status {
            case "accepted": .delivered
            case "rejected":
                .rejected(SinkFailure(code: reason ?? "rejected", detail: detail ?? "the collector gave no detail"))
            // A word of a later release: kept until somebody understands it.
            default: .retry(.notUnderstood("the status \(status)"))
            }
        }
    }
}

extension SinkFailure {
    static func notUnderstood(_ what: String) -> SinkFailure {
        SinkFailure(code: "not_understood", detail: "\(what); check the collector's address, and what stands before it")
    }
}
