import EventTracking
import EventTrackingTestKit
import FlowEvents
import Foundation
import Testing

/// Random purchases against rules that look at the whole history.
@Suite struct PurchaseMemoryRandomTests {
    /// What has happened, in order.
    private enum Step {
        case began(PaywallReference)
        case waits(String, PaywallReference)
        case canceled(PaywallReference)
        case decided(StoreTransaction, PurchaseMemory.Origin, PurchaseMemory.Decision)
    }

    private struct History {
        var steps: [(step: Step, time: Int64)] = []

        /// Whether an opening of the past is still open: nothing after it has ended or replaced it.
        private func isOpen(_ index: Int) -> Bool {
            for (later, _) in steps[(index + 1)...] {
                switch (steps[index].step, later) {
                case (.began(let paywall), .began(let other)), (.began(let paywall), .canceled(let other)),
                    (.began(let paywall), .waits(_, let other)),
                    (.began(let paywall), .decided(_, .result(.some(let other)), _)):
                    if paywall == other { return false }
                case (.waits(let product, let paywall), .waits(let other, let otherPaywall)):
                    if paywall == otherPaywall, product == other { return false }
                default: break
                }
            }
            return true
        }

        /// The openings that updates have taken so far, played again from the beginning.
        private func open(before end: Int) -> [Int] {
            var past = self
            past.steps = Array(steps[..<end])
            var taken: Set<Int> = []
            for index in past.steps.indices {
                guard case .decided(let transaction, .update, .purchase) = past.steps[index].step else { continue }
                var earlier = self
                earlier.steps = Array(steps[..<index])
                let open = earlier.steps.indices.filter { !taken.contains($0) && earlier.isOpen($0) }
                if let found = earlier.match(transaction, among: open) { taken.insert(found) }
            }
            return past.steps.indices.filter { index in
                guard !taken.contains(index), past.isOpen(index) else { return false }
                switch past.steps[index].step {
                case .began, .waits: return true
                default: return false
                }
            }
        }

        func match(_ transaction: StoreTransaction, among open: [Int]) -> Int? {
            let time = transaction.purchasedAt.milliseconds
            for index in open.reversed() {
                guard case .waits(transaction.productID, _) = steps[index].step else { continue }
                let passed = time - steps[index].time
                if passed >= -3_600_000, passed <= 30 * 86_400_000 { return index }
            }
            guard transaction.accountToken != nil else { return nil }
            for index in open.reversed() {
                guard case .began = steps[index].step else { continue }
                if abs(time - steps[index].time) <= 86_400_000 { return index }
            }
            return nil
        }

        func expected(_ transaction: StoreTransaction, _ origin: PurchaseMemory.Origin) -> PurchaseMemory.Decision {
            if transaction.isRevoked { return .ignored(.revoked) }
            if transaction.isPaidByOthers { return .ignored(.shared) }
            let isCounted = steps.contains { step in
                if case .decided(transaction, _, .purchase) = step.step { true } else { false }
            }
            if isCounted { return .ignored(.counted) }
            if transaction.isRenewal { return .ignored(.renewed) }
            if case .result(let paywall) = origin { return .purchase(paywall) }
            if let token = transaction.accountToken, token != PurchaseMemoryTests.token {
                return .ignored(.otherInstall)
            }
            guard let index = match(transaction, among: open(before: steps.count)) else { return .purchase(nil) }
            switch steps[index].step {
            case .began(let paywall), .waits(_, let paywall): return .purchase(paywall)
            default: return .purchase(nil)
            }
        }
    }

    @Test(arguments: [UInt64.random(in: 0 ... .max)])
    func `every decision is what the history says`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            var memory = PurchaseMemory(since: Timestamp(milliseconds: 0))
            var history = History()
            var time = PurchaseMemoryTests.now.milliseconds
            for number in 0..<20 {
                time +=
                    Int64.random(in: 0...10 * 86_400_000, using: &random) >> Int64.random(in: 0...20, using: &random)
                let paywall = PaywallReference(
                    presentationID: "p\(Int.random(in: 0..<3, using: &random))",
                    source: "home"
                )
                let product = ["a", "b"].randomElement(using: &random) ?? "a"
                let now = Timestamp(milliseconds: time)
                switch Int.random(in: 0..<8, using: &random) {
                case 0, 1:
                    memory.begin(paywall, at: now)
                    history.steps.append((.began(paywall), time))
                case 2:
                    memory.wait(for: product, on: paywall, at: now)
                    history.steps.append((.waits(product, paywall), time))
                case 3:
                    memory.cancel(paywall)
                    history.steps.append((.canceled(paywall), time))
                default:
                    let transaction = Self.transaction(number, product, at: time, history, &random)
                    let origin: PurchaseMemory.Origin =
                        Int.random(in: 0..<3, using: &random) == 0 ? .result(paywall) : .update
                    let expected = history.expected(transaction, origin)
                    let decision = memory.decide(
                        transaction,
                        from: origin,
                        installID: PurchaseMemoryTests.install,
                        tokens: .installs
                    )
                    #expect(decision == expected, "seed \(seed)")
                    history.steps.append((.decided(transaction, origin, decision), time))
                }
            }
        }
    }

    @Test func `the memory has a bound, whatever is bought`() throws {
        var memory = PurchaseMemory(since: Timestamp(milliseconds: 0))
        let long = String(repeating: "x", count: EventRules.maximumTextSize)
        for number in 0..<2_000 {
            let paywall = PaywallReference(presentationID: "\(number)", source: String(long.dropLast(4)))
            memory.wait(for: long, on: paywall, at: PurchaseMemoryTests.now)
            memory.begin(PaywallReference(presentationID: long + "x", source: long), at: PurchaseMemoryTests.now)
            let id = "\(number)"
            let transaction = StoreTransaction(id: id, productID: "pro", purchasedAt: PurchaseMemoryTests.now)
            _ = memory.decide(transaction, from: .result(nil), installID: nil, tokens: .installs)
        }
        #expect(memory.counted.count == PurchaseMemory.maximumCounted && memory.counted.last == "1999")
        #expect(try JSONEncoder().encode(memory).count < 200_000)
    }

    private static func transaction(
        _ number: Int,
        _ product: String,
        at time: Int64,
        _ history: History,
        _ random: inout SeededRandom
    ) -> StoreTransaction {
        let earlier = history.steps.compactMap { step in
            if case .decided(let transaction, _, _) = step.step { transaction } else { nil }
        }
        if Bool.random(using: &random), let again = earlier.randomElement(using: &random) { return again }
        var transaction = StoreTransaction(
            id: "\(number)",
            productID: product,
            purchasedAt: Timestamp(milliseconds: time + Int64.random(in: -7_200_000...7_200_000, using: &random))
        )
        transaction.isRenewable = true
        transaction.isRevoked = Int.random(in: 0..<10, using: &random) == 0
        transaction.isPaidByOthers = Int.random(in: 0..<10, using: &random) == 0
        transaction.isRenewal = Int.random(in: 0..<10, using: &random) == 0
        transaction.accountToken = [PurchaseMemoryTests.token, nil, UUID()].randomElement(using: &random) ?? nil
        return transaction
    }
}
