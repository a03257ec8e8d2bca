import FlowEvents

/// Builds the steps and exclusions of a ``Funnel`` in a closure.
@resultBuilder public enum FunnelBuilder {
    /// The steps and exclusions of a closure, or of a part of it.
    public struct Parts: Sendable {
        var steps: [Step] = []
        var exclusions: [Exclusion] = []
    }

    /// Takes a step.
    public static func buildExpression(_ step: Step) -> Parts { Parts(steps: [step]) }

    /// Takes an exclusion.
    public static func buildExpression(_ exclusion: Exclusion) -> Parts { Parts(exclusions: [exclusion]) }

    /// Joins parts in their order.
    public static func buildBlock(_ parts: Parts...) -> Parts { buildArray(parts) }

    /// Joins the parts of a loop.
    public static func buildArray(_ parts: [Parts]) -> Parts {
        Parts(steps: parts.flatMap(\.steps), exclusions: parts.flatMap(\.exclusions))
    }

    /// Takes the part of an `if` without `else`.
    public static func buildOptional(_ part: Parts?) -> Parts { part ?? Parts() }

    /// Takes the part of an `if`.
    public static func buildEither(first part: Parts) -> Parts { part }

    /// Takes the part of an `else`.
    public static func buildEither(second part: Parts) -> Parts { part }
}

extension Funnel {
    /// Creates a funnel from steps and exclusions in a closure.
    ///
    /// ```swift
    /// let funnel = try Funnel(
    ///     name: "paywall-revenue",
    ///     count: .by("presentation_id"),
    ///     window: .seconds(3 * 86_400),
    ///     breakdown: "paywall_source",
    ///     timeZone: FunnelTimeZone("Europe/Berlin")
    /// ) {
    ///     Step(name: "paywall", event: "screen_view")
    ///         .where("screen", .is("paywall"))
    ///     Step(name: "purchase", event: "purchase")
    ///         .where("properties.plan", .isNot("trial", "promo"))
    ///         .where("properties.price", .atLeast(1), .lessThan(100))
    ///         .where("properties.sku", .hasPrefix("com.example."))
    ///         .where("properties.coupon", .isAbsent)
    ///         .summing("properties.price", decimals: 2, unit: "properties.currency")
    ///     Exclusion(event: "paywall_close", from: "paywall", to: "purchase")
    ///         .where("transition", .is("swipe_dismiss"))
    /// }
    /// ```
    ///
    /// - Throws: ``FunnelDefinitionError``, as the other initializer does.
    public init(
        name: String,
        description: String? = nil,
        count: Counting = .installs,
        entry: Entry = .any,
        window: Duration,
        breakdown: Breakdown? = nil,
        timeZone: FunnelTimeZone = .utc,
        next: NextEvent? = nil,
        experiment: Experiment? = nil,
        @FunnelBuilder _ parts: () -> FunnelBuilder.Parts
    ) throws(FunnelDefinitionError) {
        let parts = parts()
        try self.init(
            name: name,
            description: description,
            count: count,
            entry: entry,
            window: window,
            breakdown: breakdown,
            timeZone: timeZone,
            exclusions: parts.exclusions,
            next: next,
            experiment: experiment,
            steps: parts.steps
        )
    }
}
