import FlowAnalytics

/// How a paywall is presented.
public enum PaywallStyle: Sendable, Hashable {
    /// As a sheet, which the user can swipe away.
    case sheet
    /// Over the whole screen.
    case fullScreen
}

extension View {
    /// Presents a paywall as long as there is a source, and tracks its presentation: a `screen_view` when it is shown, a
    /// `paywall_close` when it has ended, and what the content tracks with the environment's `paywall`.
    ///
    /// ```swift
    /// @State private var paywall: PaywallSource?
    ///
    /// Button("Upgrade") { paywall = .home }
    ///     .paywall($paywall) { PaywallView() }
    /// ```
    ///
    /// To dismiss the paywall, set the source to `nil` or call the environment's `dismiss`. When the user swipes it away,
    /// the source becomes `nil`. Another source in place of the first one is another presentation.
    ///
    /// - Parameters:
    ///   - source: where the paywall is opened from; `nil` for no paywall.
    ///   - style: how it is presented.
    ///   - screen: the name of the screen. If the content has a `trackedScreen(_:item:)` when it appears, that names it.
    ///   - content: the paywall.
    public func paywall<Source: RawRepresentable<String>, Content: View>(
        _ source: Binding<Source?>,
        style: PaywallStyle = .sheet,
        screen: String = "paywall",
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        modifier(PresentedPaywall(source: source, style: style, screen: screen, paywall: content))
    }
}

private struct PresentedPaywall<Source: RawRepresentable<String>, Paywall: View>: ViewModifier {
    @Binding var source: Source?
    let style: PaywallStyle
    let screen: String
    let paywall: () -> Paywall
    /// What SwiftUI presents. It is made when the source changes, since SwiftUI may ask for the content any number of times.
    @State private var item: PaywallItem?
    @State private var box = PaywallBox()
    @Environment(\.trackedScene) private var context
    @Environment(\.screenPosition) private var position

    init(source: Binding<Source?>, style: PaywallStyle, screen: String, paywall: @escaping () -> Paywall) {
        _source = source
        self.style = style
        self.screen = screen
        self.paywall = paywall
    }

    func body(content: Content) -> some View {
        presenting(content)
            .onChange(of: source?.rawValue, initial: true) { _, source in
                item = box.item(for: source, in: context, canSwipe: style == .sheet)
            }
            .onChange(of: item?.id) { _, id in
                if id == nil, box.isDismissedBySwiftUI() { source = nil }
            }
    }

    @ViewBuilder
    private func presenting(_ content: Content) -> some View {
        switch style {
        case .sheet: content.sheet(item: $item, onDismiss: { box.dismissed() }) { view(of: $0) }
        case .fullScreen: content.fullScreenCover(item: $item, onDismiss: { box.dismissed() }) { view(of: $0) }
        }
    }

    private func view(of item: PaywallItem) -> some View {
        paywall()
            .modifier(TrackedScreen(place: ScreenPlace(screen, isFallback: true)))
            .environment(\.screenPosition, position.presenting(item.id))
            .environment(\.trackedScene, context)
            .environment(\.trackedTabs, nil)
            .environment(\.paywall, item.presentation)
    }
}
