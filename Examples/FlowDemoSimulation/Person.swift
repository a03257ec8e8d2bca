import EventTracking
import EventTrackingTestKit
import FlowDemoApp
import FlowEvents
import HeadlessUIKit
import ScreenJourneys

/// A person with a phone: an install with its own identity and tracker, which outlive the visits to the app.
@MainActor
final class Person {
    /// Future appointments. The simulation removes them after each appointment.
    private(set) var plans: [(appointment: Appointment, delay: Duration)] = []
    private(set) var tally = SimulationTally()
    private(set) var purchases: [SimulatedPurchase] = []
    let tracker: Tracker

    private let paywallLayout: PaywallLayout
    private var random: SeededRandom
    private var temperament: Temperament
    private let installID: String
    private let clock: SimulatedClock
    private let presentationIDs: IDGenerator
    private let journeys: Journeys?
    private var visit: AppVisit?
    private var orders: [Int: Order] = [:]

    /// An order that the shop has not answered yet.
    private struct Order {
        weak var paywall: UIViewController?
        var plan: Plan
        var result: PurchaseService.Outcome
        var answer: @MainActor (PurchaseService.Outcome) -> Void
    }

    /// Creates a person.
    ///
    /// - Parameters:
    ///   - firstVisit: when the person opens the app for the first time.
    ///   - random: the source of all decisions.
    ///   - clock: the time of the simulation.
    ///   - sink: the destination of the events.
    ///   - journeys: records the visited screens; `nil` to record none.
    init(
        firstVisit: Timestamp,
        random: SeededRandom,
        clock: SimulatedClock,
        sink: EventSink,
        journeys: Journeys? = nil
    ) {
        var random = random
        var ids = UUIDv7Sequence()
        let installID = ids.next(at: firstVisit, using: &random).description
        // Separate generators, because the tracker makes ids on another thread, at any time.
        let eventIDs = IDGenerator.uuidV7(random: SeededRandom(seed: random.next()))
        presentationIDs = .uuidV7(random: SeededRandom(seed: random.next()))
        temperament = Temperament(using: &random)
        self.installID = installID
        paywallLayout = .assigned(to: installID)
        self.random = random
        self.clock = clock
        self.journeys = journeys
        tracker = Tracker(
            source: Simulation.source,
            identity: .memory(Identity(installID: installID)),
            sink: sink,
            now: { clock.now },
            ids: eventIDs
        )
    }

    /// Performs an appointment, and plans the following ones.
    func keep(_ appointment: Appointment) {
        switch appointment {
        case .visit:
            if tally.visits == 0 { tally.visitors = 1 }
            tally.visits += 1
            visit = AppVisit(world: world)
            plan(.move, after: .seconds(.random(in: 2...20, using: &random)))
        case .move:
            guard let visit, let place = visit.place(isOrdering: !orders.isEmpty) else { return }
            let move = temperament.nextMove(in: place, using: &random)
            tally.moves[move, default: 0] += 1
            visit.perform(move)
            if tally.paywallViewers.isEmpty, case .paywall? = visit.place(isOrdering: !orders.isEmpty) {
                tally.paywallViewers[PaywallViewer(layout: paywallLayout, firstDay: today)] = 1
            }
            if move == .leave { leave() } else { plan(.move, after: .seconds(.random(in: 2...25, using: &random))) }
        case .settle(let order): settle(order)
        }
    }

    /// Removes and returns the planned appointments.
    func takePlans() -> [(appointment: Appointment, delay: Duration)] {
        defer { plans.removeAll(keepingCapacity: true) }
        return plans
    }
}

extension Person {
    private var world: World {
        var world = World(
            tracker: tracker,
            shop: PurchaseService { [weak self] plan, answer in self?.order(plan, answer) },
            presentationIDs: presentationIDs
        )
        world.date = { [clock] in clock.now }
        world.clock = SimulatedTime(clock: clock)
        world.journeys = journeys
        world.paywallLayout = paywallLayout
        return world
    }

    private func leave() {
        visit = nil
        let hours = temperament.pause * .random(in: 0.5...1.5, using: &random)
        let next = Timestamp(milliseconds: clock.now.milliseconds + Int64(hours * 3_600_000))
        let settled = DayRhythm.settle(next, using: &random)
        plan(.visit, after: .milliseconds(settled.milliseconds - clock.now.milliseconds))
    }

    private func order(_ plan: Plan, _ answer: @escaping @MainActor (PurchaseService.Outcome) -> Void) {
        let number = tally.orders
        tally.orders += 1
        let isBought = Double.random(in: 0..<1, using: &random) < 0.85
        // Some orders need an approval. Usually the paywall is closed by then.
        let needsApproval = Double.random(in: 0..<1, using: &random) < 0.2
        let seconds = Double.random(in: needsApproval ? 60...2400 : 2...12, using: &random)
        if needsApproval { answer(.waiting) }
        let result: PurchaseService.Outcome = isBought ? .bought : .canceled
        orders[number] = Order(paywall: visit?.screen, plan: plan, result: result, answer: answer)
        self.plan(.settle(order: number), after: .milliseconds(Int64(seconds * 1000)))
    }

    private func settle(_ number: Int) {
        guard let order = orders.removeValue(forKey: number) else { return }
        if order.result == .bought {
            tally.purchases += 1
            purchases.append(
                SimulatedPurchase(
                    installID: installID,
                    product: order.plan.product,
                    price: order.plan.price,
                    currency: order.plan.currency,
                    time: clock.now
                )
            )
            if order.paywall?.presentingViewController == nil { tally.latePurchases += 1 }
            temperament.becomeSubscriber()
        }
        order.answer(order.result)
        visit?.finishTransitions()
    }

    private var today: String { String(clock.now.description.prefix("2026-11-20".count)) }

    private func plan(_ appointment: Appointment, after delay: Duration) {
        plans.append((appointment, delay))
    }
}
