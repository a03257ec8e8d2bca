import Funnels

/// The JSON of what funnels are asked beyond their steps: values, optional steps, next places, experiments.
extension JSONNode {
    static func ratio(_ ratio: Ratio?) -> JSONNode {
        .literal(ratio?.description ?? "null")
    }

    static func interval(_ interval: ScoreInterval?) -> JSONNode {
        interval.map { .array([.ratio($0.low), .ratio($0.high)]) } ?? .literal("null")
    }

    /// A number with at most six decimals and no exponent: `4.237255`, `12.0`.
    static func decimal(_ value: Double?) -> JSONNode {
        .literal(value.map(decimalText) ?? "null")
    }

    static func decimals(_ bounds: ClosedRange<Double>?) -> JSONNode {
        bounds.map { .array([.decimal($0.lowerBound), .decimal($0.upperBound)]) } ?? .literal("null")
    }

    private static func decimalText(_ value: Double) -> String {
        // The value is rounded to millionths already. Above 2^53 millionths a double has no sixth decimal.
        guard value.magnitude < 9_000_000_000 else {
            return value.magnitude < 1e16 ? "\(value)" : "\(Int128(value)).0"
        }
        let millionths = Int64((value * 1_000_000).rounded())
        let (whole, fraction) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var digits = String(String(fraction + 1_000_000).dropFirst())
        while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
        return "\(millionths < 0 ? "-" : "")\(whole).\(digits)"
    }

    static func value(_ value: BreakdownValue) -> JSONNode {
        switch value {
        case .text(let text): .string(text)
        case .list(let texts): .array(texts.map(JSONNode.string))
        }
    }

    static func nextStep(_ result: NextStepResult) -> JSONNode {
        .object([("with", conversion(result.with)), ("without", conversion(result.without))])
    }

    private static func conversion(_ conversion: Conversion) -> JSONNode {
        .object([
            ("count", .integer(conversion.count)), ("of", .integer(conversion.of)),
            ("conversion", .ratio(conversion.conversion)), ("interval", .interval(conversion.interval)),
        ])
    }

    static func places(_ places: [NextPlaces.Place]) -> JSONNode {
        .array(places.map { .object([("value", .string($0.value)), ("count", .integer($0.count))]) })
    }

    static func experiment(_ result: ExperimentResult) -> JSONNode {
        .object([
            ("from", .optional(result.from?.description)),
            ("to", .optional(result.to?.description)),
            ("control", .string(result.control)),
            ("crossed", .integer(result.crossed)),
            ("sample_ratio", result.sampleRatio.map(sampleRatio) ?? .literal("null")),
            ("variants", .array(result.variants.enumerated().map { variant($1, isControl: $0 == 0) })),
        ])
    }

    private static func sampleRatio(_ ratio: ExperimentResult.SampleRatio) -> JSONNode {
        .object([("p", probability(ratio.p)), ("mismatch", .literal("\(ratio.isMismatch)"))])
    }

    private static func probability(_ p: Double?) -> JSONNode {
        .ratio(p.map { Ratio(rounding: $0) })
    }

    private static func variant(_ variant: ExperimentResult.Variant, isControl: Bool) -> JSONNode {
        let steps = variant.steps.enumerated().map { index, step in
            var members: [(key: String, value: JSONNode)] = [
                ("name", .string(step.name)),
                ("count", .integer(step.count)),
                ("conversion_from_first", .ratio(step.conversionFromFirst)),
            ]
            if !isControl { members += lift(step.lift) }
            return JSONNode.object(members)
        }
        let sums = variant.sums.map { sum in
            var members: [(key: String, value: JSONNode)] = [
                ("step", .string(sum.step)), ("unit", .string(sum.unit)), ("per_actor", .decimal(sum.perActor)),
            ]
            if !isControl {
                members += [
                    ("difference", .decimal(sum.difference)),
                    ("difference_interval", .decimals(sum.differenceInterval)),
                ]
            }
            return JSONNode.object(members)
        }
        return .object([("value", .string(variant.value)), ("steps", .array(steps)), ("sums", .array(sums))])
    }

    // The first step has the keys, too, so that every step of a variant has the same ones.
    private static func lift(_ lift: ExperimentResult.Lift?) -> [(key: String, value: JSONNode)] {
        [
            ("lift", .ratio(lift?.difference)),
            ("lift_interval", .interval(lift?.differenceInterval)),
            ("relative_lift", .ratio(lift?.relative)),
            ("relative_lift_interval", .interval(lift?.relativeInterval)),
            ("p", probability(lift?.p)),
            ("sequential_interval", .interval(lift?.sequentialInterval)),
        ]
    }
}
