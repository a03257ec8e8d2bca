import EventTracking
import FlowAnalytics
import FlowEvents
import FlowSwiftUI
import HeadlessSwiftUI
import Testing

/// The code of the article *Using SwiftUI*, so that it compiles.
private enum PaywallSource: String { case home, profile }
private enum Route: Hashable { case product(Int), offer }
private enum AppTab: Hashable { case home, profile }

private struct ShopApp: App {
    private static let sink = EventSink { $0.map { _ in .delivered } }
    let analytics = AppAnalytics(Tracker(source: "app://com.example.shop", identity: .memory(), sink: sink))
    var body: some Scene { WindowGroup { RootView().tracked(by: analytics) } }
}

private struct RootView: View {
    @State private var path: [Route] = []
    @State private var paywall: PaywallSource?

    var body: some View {
        NavigationStack(path: $path) {
            HomeView(upgrade: { paywall = .home }).trackedScreen("home")
                .navigationDestination(for: Route.self) { route in
                    switch route {
                    case .product(let id): Text("\(id)").trackedScreen("product", item: "\(id)")
                    case .offer: PaywallView().paywallScreen(source: PaywallSource.profile)
                    }
                }
        }
        .trackedPath(path)
        .paywall($paywall) { PaywallView() }
    }
}

private struct TabsView: View {
    @State private var tab = AppTab.home
    @State private var paywall: PaywallSource?

    var body: some View {
        TabView(selection: $tab) {
            Text("").trackedScreen("home").trackedTab(AppTab.home).tag(AppTab.home)
            Text("").trackedScreen("profile").trackedTab(AppTab.profile).tag(AppTab.profile)
        }
        .trackedTabs(tab)
        .paywall($paywall, style: .fullScreen) { PaywallView() }
    }
}

private struct HomeView: View {
    let upgrade: @MainActor () -> Void
    var body: some View { Button("Upgrade", action: upgrade) }
}

private struct PaywallView: View {
    @Environment(\.paywall) private var paywall
    var body: some View {
        Button("Choose a year") { paywall?.track("plan_selected", properties: ["plan": "year"]) }
    }
}

@MainActor
@Suite struct ArticleTests {
    @Test func `an app in SwiftUI writes a line for each screen`() async {
        _ = ShopApp().body
        let app = HostedApp(RootView())
        await app.tap("Upgrade", "Choose a year")
        await app.act { $0.swipeDown() }
        #expect(
            app.lines == [
                "home < -: root", "paywall < home: present [home p-1]", "plan_selected [home p-1]",
                "paywall_close: swipe_dismiss [home p-1]", "home < paywall: swipe_dismiss",
            ]
        )
    }

    @Test func `tabs write a line each`() async {
        let app = HostedApp(TabsView())
        await app.tap("profile", "home")
        #expect(app.lines == ["home < -: root", "profile < home: tab", "home < profile: tab"])
    }
}
