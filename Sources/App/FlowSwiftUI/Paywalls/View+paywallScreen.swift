import FlowAnalytics

extension View {
    /// Tracks the view as a paywall that is a screen of a stack or a tab, and not presented on top of it.
    ///
    /// ```swift
    /// .navigationDestination(for: Offer.self) { PaywallView($0).paywallScreen(source: PaywallSource.profile) }
    /// ```
    ///
    /// A presentation begins when the view appears for the first time, and ends when the user leaves it: not when something
    /// covers it, nor when another tab is selected. It takes the place of `trackedScreen(_:item:)`.
    ///
    /// - Parameters:
    ///   - source: where the paywall was opened from.
    ///   - screen: the name of the screen.
    public func paywallScreen<Source: RawRepresentable<String>>(
        source: Source,
        screen: String = "paywall"
    ) -> some View {
        modifier(PaywallScreenModifier(source: source.rawValue, place: ScreenPlace(screen)))
    }
}

private struct PaywallScreenModifier: ViewModifier {
    let source: String
    let place: ScreenPlace
    @State private var box = PaywallScreenBox()
    /// Changes when the view is shown again after its presentation has ended: then the content has another presentation.
    @State private var renewals = 0
    @Environment(\.trackedScene) private var context
    @Environment(\.screenPosition) private var position

    func body(content: Content) -> some View {
        let presentation = box.presentation(from: source, renewals, in: context)
        content
            .environment(\.paywall, presentation)
            .onAppear {
                if box.appear(from: source, as: place, at: position, in: context) { renewals += 1 }
            }
            .onDisappear { box.disappear() }
            .onChange(of: place) { _, place in box.change(to: place) }
    }
}

/// Tells a scene of one view that is a paywall.
@MainActor
final class PaywallScreenBox {
    private let view = ScreenBox()
    private var current: Presentation<PaywallSourceName>?
    private var hasBegun = false

    /// The presentation of the view. The first one is made before the view appears, so that the content has it from its
    /// beginning; no event tells of it before that.
    ///
    /// - Parameter renewals: changes with the answer.
    func presentation(
        from source: String,
        _ renewals: Int,
        in context: SceneContext?
    ) -> Presentation<PaywallSourceName>? {
        if current == nil { current = context?.paywalls.presentation(from: PaywallSourceName(rawValue: source)) }
        return current
    }

    /// The view has appeared.
    ///
    /// - Returns: whether it has another presentation now.
    func appear(
        from source: String,
        as place: ScreenPlace,
        at position: ScreenPosition,
        in context: SceneContext?
    ) -> Bool {
        guard let context else {
            view.appear(in: nil, as: place, at: position)
            return false
        }
        let isOver = hasBegun && current.map { !context.scene.isOpen($0.id) } ?? true
        if isOver { current = nil }
        guard let presentation = presentation(from: source, 0, in: context) else { return false }
        if !hasBegun || isOver {
            hasBegun = true
            let mark = PaywallMark(id: presentation.id, source: presentation.source.rawValue)
            context.scene.open(mark, isModal: false, canSwipe: false)
        }
        view.appear(in: context, as: place, at: position.pushing(presentation.id))
        return isOver
    }

    func disappear() { view.disappear() }

    func change(to place: ScreenPlace) { view.change(to: place) }
}
