import FlowDemoApp
import FlowDemoSimulation
import FlowEvents
import FunnelCommandSupport
import Funnels

/// Compares figures of two funnels of the demo with what the simulation counted by itself: one with an optional step and
/// next places, one with a test of variants.
struct CheckedFunnels {
    private let tally: SimulationTally
    private let funnels: [Funnel]

    init(_ tally: SimulationTally, _ funnels: [Funnel]) {
        self.tally = tally
        self.funnels = funnels
    }

    /// Who opened the app, and where they went.
    static let profile = try? Funnel(
        name: "does-the-profile-help",
        window: .seconds(1800),
        next: NextEvent("screen_view", field: "screen")
    ) {
        Step(name: "home", event: "screen_view", where: ["screen": "home"])
        Step(name: "profile", event: "screen_view", where: ["screen": "profile"]).optional()
        Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"])
    }

    /// Who saw which layout of the paywall.
    static let layouts = try? Funnel(
        name: "paywall-layout-test",
        window: .seconds(3600),
        breakdown: "properties.item_id",
        experiment: Experiment(control: "plain", shares: ["plain": 1, "video": 1])
    ) {
        Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"])
        Step(name: "purchase", event: "purchase")
            .summing("properties.price", decimals: 2, unit: "properties.currency")
    }

    /// Returns what was checked as lines; empty where the funnels file has neither funnel as the demo knows it.
    ///
    /// - Throws: `CommandFailure` if a figure differs.
    func sentence(for figures: [Figures]) throws(CommandFailure) -> String {
        var lines: [String] = []
        if let found = Self.figures(of: Self.profile, funnels, figures) { lines.append(try checkProfile(found)) }
        if let found = Self.figures(of: Self.layouts, funnels, figures) { lines.append(try checkLayouts(found)) }
        return lines.map { "\n   " + $0 }.joined()
    }

    // Somebody may have changed the file, to count something else.
    private static func figures(of funnel: Funnel?, _ funnels: [Funnel], _ figures: [Figures]) -> Figures? {
        guard let funnel,
            funnels.contains(where: {
                $0.countingIdentity == funnel.countingIdentity && $0.experiment == funnel.experiment
            })
        else { return nil }
        return figures.first { $0.name == funnel.name }
    }

    private func checkProfile(_ found: Figures) throws(CommandFailure) -> String {
        let (home, profile, paywall) = (found.steps[0], found.steps[1], found.steps[2])
        let went = (home.next ?? []).reduce(0) { $0 + $1.count }
        guard let ways = profile.nextStep, home.count == tally.visitors, went == home.count - paywall.count,
            ways.with.of == profile.count, ways.with.of + ways.without.of == home.count,
            ways.with.count + ways.without.count == paywall.count
        else { throw differs(found.name, "\(tally.visitors) people opened the app") }
        return """
            \(home.count.grouped("person", "people")) opened the app. \(went.grouped) of them came to no paywall in time, and the \
            report knows of all where they went.
            """
    }

    private func checkLayouts(_ found: Figures) throws(CommandFailure) -> String {
        let counts = PaywallLayout.allCases.map { layout in
            let viewers = tally.paywallViewers.filter { $0.key.layout == layout }
            return (
                layout: layout,
                all: viewers.values.reduce(0, +),
                settled: viewers.filter { $0.key.firstDay <= found.settledTo ?? "" }.values.reduce(0, +)
            )
        }
        let expected = Dictionary(uniqueKeysWithValues: counts.map { ($0.layout.rawValue, $0.settled) })
        let variants = (found.experiment?.variants ?? []).map { ($0.value, $0.steps[0].count) }
        guard found.steps[0].count == counts.reduce(0, { $0 + $1.all }), found.experiment?.crossed == 0,
            found.settledTo == nil || Dictionary(variants, uniquingKeysWith: +) == expected
        else { throw differs(found.name, "\(counts)") }
        let words = counts.map { "\($0.settled.grouped) saw \($0.layout.rawValue)" }.joined(separator: ", ")
        return "Of the layouts of the paywall, \(words) on settled days, as in the report."
    }

    private func differs(_ name: String, _ expected: String) -> CommandFailure {
        CommandFailure(.software, "the report of '\(name)' differs from what the simulation counted: \(expected)")
    }
}

extension CheckedFunnels {
    /// The part of a funnel's report that is checked.
    struct Figures: Decodable {
        var name: String
        var settledTo: String?
        var steps: [Step]
        var experiment: Experiment?

        struct Step: Decodable {
            var count: Int
            var next: [Place]?
            var nextStep: Ways?
        }

        struct Place: Decodable {
            var count: Int
        }

        struct Ways: Decodable {
            var with: Way
            var without: Way
        }

        struct Way: Decodable {
            var count: Int
            var of: Int
        }

        struct Experiment: Decodable {
            var crossed: Int
            var variants: [Variant]
        }

        struct Variant: Decodable {
            var value: String
            var steps: [Step]
        }
    }
}
