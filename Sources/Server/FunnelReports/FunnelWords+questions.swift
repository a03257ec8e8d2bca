import FlowEvents
import Funnels

/// The words for breakdowns, optional steps and next places.
extension FunnelWords {
    /// One of the actors that a funnel counts: `install`, `session`, `presentation`, `value of item_id`.
    static func actor(_ funnel: Funnel) -> String {
        switch funnel.count {
        case .installs: "install"
        case .sessions: "session"
        case .by(.data("presentation_id")): "presentation"
        case .by(let field): "value of \(field.path)"
        }
    }

    /// A part of a breakdown: `paywall_source`, `properties.plan of purchase`.
    static func part(_ part: Breakdown.Part) -> String {
        let step = part.step.map { " of \(TerminalText.visible($0))" } ?? ""
        return TerminalText.visible(part.field.path) + step
    }

    /// One text of a breakdown value as people read it.
    static func value(_ text: String) -> String {
        text.isEmpty ? "(empty)" : TerminalText.visible(text)
    }

    /// Where a breakdown's fields stand: `paywall_source: home, properties.plan of purchase: year`.
    static func value(_ value: BreakdownValue, of breakdown: Breakdown) -> String {
        zip(breakdown.parts, value.texts).map { "\(part($0)): \(Self.value($1))" }.joined(separator: ", ")
    }

    /// What an optional step goes with: `with it 62.2% went on, without it 64.7%: too close to tell`.
    static func sideWay(_ result: NextStepResult) -> String {
        func share(_ conversion: Conversion) -> String {
            conversion.conversion.map(HumanText.percentage) ?? "nobody"
        }
        let shares = "with it \(share(result.with)) went on, without it \(share(result.without))"
        guard let interval = result.differenceInterval else { return "\(shares): too few to tell" }
        guard let spread = HumanText.spread(interval) else { return "\(shares): too close to tell" }
        return "\(shares): \(spread.points) points \(spread.isUp ? "more" : "fewer")"
    }

    /// The places of most actors, and how many places and actors there are besides.
    static func places(_ next: NextPlaces, first count: Int = 5) -> (shown: [NextPlaces.Place], rest: String?) {
        let shown = Array(next.places.prefix(count))
        let hidden = next.places.count - shown.count + next.leftOutCount
        guard hidden > 0 else { return (shown, nil) }
        return (shown, "\(HumanText.count(hidden)) more")
    }

    /// A sum for each actor: `0.62 per install (95% interval 0.50 to 0.75)`.
    static func perActor(_ mean: ActorMean, _ funnel: Funnel) -> String {
        let interval = mean.interval.map { " (95% interval \(HumanText.amounts($0)))" } ?? ""
        return "\(HumanText.amount(mean.mean)) per \(actor(funnel))\(interval)"
    }
}

extension HumanText {
    /// The bounds of a difference that is clear, in points, the smaller one first: `0.4 to 2.1`; `nil` where the interval
    /// has 0 in it.
    static func spread(_ interval: ScoreInterval) -> (points: String, isUp: Bool)? {
        let (low, high) = (interval.low, interval.high)
        if low.tenThousandths > 0 { return ("\(size(low)) to \(size(high))", true) }
        if high.tenThousandths < 0 { return ("\(size(high)) to \(size(low))", false) }
        return nil
    }

    /// The size of a difference in points, without its sign: `2.1`; with two decimals below 0.05, so that it is not `0.0`.
    static func size(_ ratio: Ratio) -> String {
        if ratio.thousandths == 0, ratio.tenThousandths != 0 { return "0.0\(ratio.tenThousandths.magnitude)" }
        let tenths = ratio.thousandths.magnitude
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// An amount with two decimals, below 0.1 with four: `1,234.50`, `0.0312`, `-3.00`.
    static func amount(_ value: Double) -> String {
        amount(value, hasFour: value.magnitude < 0.1 && value != 0)
    }

    private static func amount(_ value: Double, hasFour: Bool) -> String {
        // A double of this size has no decimals that matter.
        guard value.magnitude < 1e15 else { return count(Int128(value)) }
        let scale = hasFour ? 10_000 : 100
        let units = Int((value.magnitude * Double(scale)).rounded())
        let (whole, fraction) = units.quotientAndRemainder(dividingBy: scale)
        let sign = value < 0 && units != 0 ? "-" : ""
        return "\(sign)\(count(whole)).\(String(fraction + scale).dropFirst())"
    }

    /// The bounds of an interval of amounts: `0.50 to 0.75`.
    static func amounts(_ interval: ClosedRange<Double>) -> String {
        let bounds = [interval.lowerBound, interval.upperBound]
        let hasFour = bounds.allSatisfy { $0.magnitude < 0.1 }
        return bounds.map { amount($0, hasFour: hasFour) }.joined(separator: " to ")
    }
}
