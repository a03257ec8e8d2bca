import EventTracking
import FlowEvents
import HTTPTypes
internal import Hummingbird
import Logging
internal import NIOCore
import StoreNotifications

/// Answers the posts of stores' servers: 200 once Kafka has what they say.
struct WebhookResponder: Sendable {
    /// The greatest body. A notification of the App Store has less than 20 KB.
    static let bodyLimit = 262_144

    let webhooks: [String: Webhook]
    let sink: EventSink
    let deadLetters: WebhookDeadLetters
    let limits: CollectorLimits
    let rates: RateLimiter
    let budget: MemoryBudget
    let connections: ConnectionTable
    let metrics: CollectorMetrics
    let logger: Logger

    init(
        _ settings: CollectorSettings,
        sink: EventSink,
        rates: RateLimiter,
        budget: MemoryBudget,
        connections: ConnectionTable,
        metrics: CollectorMetrics,
        logger: Logger
    ) {
        webhooks = settings.webhooks.webhooks
        var limits = settings.limits
        limits.bodySize = min(limits.bodySize, Self.bodyLimit)
        limits.decompressedSize = min(limits.decompressedSize, Self.bodyLimit)
        self.limits = limits
        self.sink = sink
        deadLetters = WebhookDeadLetters(settings, logger: logger)
        self.rates = rates
        self.budget = budget
        self.connections = connections
        self.metrics = metrics
        self.logger = logger
    }

    /// A problem, and whether the sender is who it should be. Only others count as failures of their address.
    struct Failure: Error {
        var problem: Problem
        var isKnownSender: Bool
    }

    /// Answers a request, and counts it.
    func respond(
        to request: Request,
        _ webhook: Webhook,
        _ context: CollectorContext
    ) async throws(Failure) -> Response {
        var type: String?
        do throws(Failure) {
            let (outcome, response) = try await answer(request, webhook, context, type: &type)
            metrics.countNotification(webhook, type: type, outcome)
            return response
        } catch {
            metrics.countNotification(webhook, type: type, .refused(status: error.problem.status))
            let line: Logger.Message = "refused a notification: \(error.problem.status), \(error.problem.detail)"
            logger.info(line, metadata: ["webhook": "\(webhook.name)"])
            throw error
        }
    }

    private func answer(
        _ request: Request,
        _ webhook: Webhook,
        _ context: CollectorContext,
        type: inout String?
    ) async throws(Failure) -> (WebhookOutcome, Response) {
        guard webhook.isAuthorized(request.headers[.authorization]) else {
            throw Failure(problem: .wrongAuthorization, isKnownSender: false)
        }
        // No write key has a colon in its name. All posts to a webhook share its part of the memory and the connections, so
        // that they take nothing from apps.
        let name = "webhook:\(webhook.name)"
        if let wait = rates.wait(name) {
            throw Failure(problem: .tooManyNotifications(after: wait), isKnownSender: true)
        }
        guard let reservation = budget.admit(name) else {
            throw Failure(problem: .tooManyAtOnce, isKnownSender: true)
        }
        let decision: StoreDecision
        do throws(Problem) {
            decision = try await self.decision(about: request, webhook, reservation)
        } catch {
            // As for a write key: what fails is not free for a sender who is known.
            if webhook.hasSecret { rates.spend(RequestSize.cost(reserved: reservation.size), by: name) }
            throw Failure(problem: error, isKnownSender: webhook.hasSecret)
        }
        type = decision.type
        rates.spend(1, by: name)
        connections.foundKey(on: context.channel)
        let outcome = try await perform(decision.action)
        connections.keep(reservation, forAnswerOn: context.channel)
        let json = Array(#"{"outcome":"\#(outcome.label)"}"#.utf8)
        return (outcome, Response(json: json, type: "application/json"))
    }

    private func decision(
        about request: Request,
        _ webhook: Webhook,
        _ reservation: MemoryBudget.Reservation
    ) async throws(Problem) -> StoreDecision {
        do {
            let body = try await RequestBodyReader(limits: limits, reservation: reservation).read(request)
            return try await webhook.decision(about: Array(body.readableBytesView), now: .now)
        } catch let refusal as NotificationRefusal {
            throw Problem(refusal)
        } catch {
            // The connection broke or was closed while the body was read.
            throw error as? Problem ?? .tooSlow
        }
    }

    private func perform(_ action: StoreAction) async throws(Failure) -> WebhookOutcome {
        switch action {
        case .ignore(let reason): return .ignored(reason)
        case .deadLetter(let event, let violation): return try await bury(event, violation)
        case .publish(let event):
            let encoded = EncodedEvent(id: event.id, key: event.installID ?? "", value: event.encoded())
            switch await sink.submit([encoded]).outcomes().first {
            case .delivered: return .event
            // For good: to send it again changes nothing.
            case .rejected(let failure):
                let detail = "Kafka does not take this event: \(failure.code)"
                return try await bury(event, EventViolation(reason: .tooLarge, detail: detail))
            default: throw Failure(problem: CollectorResponder.notAcknowledged, isKnownSender: true)
            }
        }
    }

    private func bury(_ event: StoreEvent, _ violation: EventViolation) async throws(Failure) -> WebhookOutcome {
        guard await deadLetters.send(event, violation) else {
            throw Failure(problem: CollectorResponder.notAcknowledged, isKnownSender: true)
        }
        return .deadLetter
    }
}
