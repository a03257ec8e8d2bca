#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ExperimentResult.Lift {
    /// Compares the actors of a variant that reached a step with those of the control.
    ///
    /// - Parameters:
    ///   - count: the actors of the variant that reached the step.
    ///   - total: the actors of the variant.
    ///   - control: the actors of the control that reached the step.
    ///   - controlTotal: the actors of the control.
    init(_ count: Int, of total: Int, control: Int, of controlTotal: Int) {
        difference = Ratio(count, of: total, minus: control, of: controlTotal)
        differenceInterval = ScoreInterval(count, of: total, minus: control, of: controlTotal)
        let rates = RatePair(count, of: total, control: control, of: controlTotal)
        relative = rates?.relative.map(Ratio.init(rounding:))
        guard let rates, min(total, controlTotal) >= ScoreInterval.leastCount else { return }
        relativeInterval = rates.relativeBounds.map(ScoreInterval.init)
        p = rates.pooledP
        sequentialInterval = ScoreInterval(rates.sequentialBounds)
    }
}

/// The conversions of a variant and of its control, with actors in both.
struct RatePair: Sendable, Hashable {
    private let p1: Double
    private let p0: Double
    private let n1: Double
    private let n0: Double

    init?(_ count: Int, of total: Int, control: Int, of controlTotal: Int) {
        guard total > 0, controlTotal > 0 else { return nil }
        (n1, n0) = (Double(total), Double(controlTotal))
        (p1, p0) = (Double(count) / n1, Double(control) / n0)
    }

    /// The quotient of the conversions less 1; `nil` where the control's is 0.
    var relative: Double? { p0 > 0 ? p1 / p0 - 1 : nil }

    /// The bounds of ``relative``: those of the quotient's logarithm, whose variance follows from the delta method: D. Katz
    /// et al., "Obtaining confidence intervals for the risk ratio in cohort studies", Biometrics 34 (1978), 469–474, method C.
    var relativeBounds: ProportionBounds? {
        guard p1 > 0, p0 > 0 else { return nil }
        let error = ((1 - p1) / (n1 * p1) + (1 - p0) / (n0 * p0)).squareRoot()
        let (center, spread) = (log(p1 / p0), NormalQuantile.of95Percent * error)
        return ProportionBounds(low: exp(center - spread) - 1, high: exp(center + spread) - 1)
    }

    /// The two-sided p-value of the score test with the pooled variance.
    var pooledP: Double {
        let pooled = (p1 * n1 + p0 * n0) / (n1 + n0)
        let variance = pooled * (1 - pooled) * (1 / n1 + 1 / n0)
        // Nobody converted, or everybody did.
        guard variance > 0 else { return 1 }
        return erfc(abs(p1 - p0) / (2 * variance).squareRoot())
    }

    /// Bounds of the difference that hold at every look: the asymptotic confidence sequence of I. Waudby-Smith et al.,
    /// "Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 52 (2024), narrowest at
    /// 5,000 actors.
    var sequentialBounds: ProportionBounds {
        let alpha = 0.05
        let tightness = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / 5000
        let error = (p1 * (1 - p1) / n1 + p0 * (1 - p0) / n0).squareRoot()
        let t = (n1 + n0) * tightness
        let spread = error * (2 * (t + 1) / t * log((t + 1).squareRoot() / alpha)).squareRoot()
        return ProportionBounds(low: p1 - p0 - spread, high: p1 - p0 + spread)
    }
}
