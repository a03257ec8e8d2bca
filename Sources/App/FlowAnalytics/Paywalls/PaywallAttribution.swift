public import EventTracking
public import FlowEvents
public import FlowKit
public import UIPlatform

/// Makes the presentations of an app's paywalls. Create one for each ``ScreenTracker``, with the app's type of sources.
///
/// ```swift
/// let paywalls = PaywallAttribution<PaywallSource>(screens)
/// let home = flow.attributed(to: .home, by: paywalls)
/// ```
public struct PaywallAttribution<Source: RawRepresentable<String> & Sendable>: Sendable {
    private let screens: ScreenTracker
    private let ids: IDGenerator
    private let now: @Sendable () -> Timestamp

    /// Creates an attribution.
    ///
    /// - Parameters:
    ///   - screens: tracks the flows. The events of a presentation go where its screen views go.
    ///   - ids: makes the `presentation_id`s.
    ///   - now: the time in an id.
    public init(
        _ screens: ScreenTracker,
        ids: IDGenerator = .uuidV7(),
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.screens = screens
        self.ids = ids
        self.now = now
    }

    /// Makes the presentation of a paywall that is no controller. The caller tells when it begins and ends.
    package func presentation(from source: Source) -> Presentation<Source> {
        let origin = PaywallOrigin(source, screens)
        return Presentation(tag: PresentationTag(id: ids(at: now()), origin: origin))
    }

    /// Returns an opener of paywalls from a source.
    func opener(from source: Source) -> PaywallOpener {
        PaywallOpener(screens: screens, origin: PaywallOrigin(source, screens), ids: ids, now: now)
    }
}

extension Builder where Product: UIViewController {
    /// Returns a builder whose paywalls are opened from the source that they are built with.
    ///
    /// The source is written once, where the paywall is built. Every tracked flow that shows the paywall begins a
    /// ``Presentation`` with it; the flow needs no ``FlowKit/Flow/attributed(to:by:)``:
    ///
    /// ```swift
    /// let paywall = PaywallBuilder().scoped { source in … }.attributed(by: paywalls)
    /// paywall.build(using: .home) |> modal.present
    /// ```
    ///
    /// - Parameter paywalls: makes the presentations.
    public func attributed<Source>(
        by paywalls: PaywallAttribution<Source>
    ) -> some Builder<Source, Product> where Dependencies == Source {
        AttributedBuilder(base: self, paywalls: paywalls)
    }
}

private struct AttributedBuilder<Base: Builder, Source: RawRepresentable<String> & Sendable>: Builder
where Base.Dependencies == Source, Base.Product: UIViewController {
    let base: Base
    let paywalls: PaywallAttribution<Source>

    func build(using source: Source) -> Base.Product {
        let product = base.build(using: source)
        paywalls.opener(from: source).setBuilder(of: product)
        return product
    }
}

extension PaywallOpener {
    /// Notes that a paywall has been built with this source.
    @MainActor
    fileprivate func setBuilder(of controller: UIViewController) {
        guard let (screen, _) = screens.paywall(in: controller) else { return }
        screens.presentations.setBuilder(self, of: screen)
    }
}
