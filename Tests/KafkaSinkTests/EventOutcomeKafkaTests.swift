import EventTracking
import RDKafka
import Testing

@testable import KafkaSink

@Suite struct EventOutcomeKafkaTests {
    @Test func `only an error about the event itself rejects it`() {
        let codes: [KafkaError.Code] = [
            .messageTooLarge, .recordListTooLarge, .invalidRecord, .invalidTimestamp, .invalidArgument,
        ]
        for code in codes {
            guard case .rejected(let failure) = EventOutcome(KafkaError(code: code)) else {
                Issue.record("\(code.name) does not reject")
                continue
            }
            #expect(failure.code == code.name)
        }
    }

    @Test func `an error that may be fixed is to be retried, also a missing permission`() {
        let codes: [KafkaError.Code] = [
            .messageTimedOut, .transport, .notEnoughReplicas, .unknownTopicOrPartition, .topicAuthorizationFailed,
            .purgedFromQueue, .purgedInFlight,
        ]
        for code in codes {
            guard case .retry(let failure, after: nil) = EventOutcome(KafkaError(code: code)) else {
                Issue.record("\(code.name) is not retried")
                continue
            }
            #expect(failure.code == code.name)
        }
    }

    @Test func `the detail of a refusal for the size names the limits to raise`() {
        guard case .rejected(let failure) = EventOutcome(KafkaError(code: .messageTooLarge)) else {
            Issue.record("not rejected")
            return
        }
        #expect(failure.detail.contains("max.message.bytes of the topic"))
    }

    @Test func `a fatal error is to be retried with a new producer`() {
        let error = KafkaError(code: KafkaError.Code(rawValue: 45), isFatal: true)
        guard case .retry(let failure, after: nil) = EventOutcome(error) else {
            Issue.record("a fatal error lost the event")
            return
        }
        #expect(failure.code == "OUT_OF_ORDER_SEQUENCE_NUMBER" && failure.detail.contains("creates a new one"))
    }

    @Test func `each failure is the outcome of its own event`() {
        let timedOut = KafkaError(code: .messageTimedOut)
        let outcomes = EventOutcome.outcomes(of: 3, failures: [0: timedOut, 2: timedOut])
        #expect(outcomes == [EventOutcome(timedOut), .delivered, EventOutcome(timedOut)])
    }
}
