import FlowAnalytics
import FlowEvents
import HeadlessSwiftUI

@testable import FlowSwiftUI

/// An app with a stack, a paywall and sheets.
struct Shop: View {
    enum Route: Hashable { case product(String), page(Int), offer }

    @State private var path: [Route] = []
    @State private var paywall: Source?
    @State private var showsHelp = false
    var style = PaywallStyle.sheet

    var body: some View {
        NavigationStack(path: $path) {
            VStack {
                NavigationLink("Tea", value: Route.product("tea"))
                Button("Deep link") { path = [.product("tea"), .product("cup")] }
                Button("Upgrade") { paywall = .home }
                NavigationLink("Page", value: Route.page(1))
                Button("Offer") { path = [.offer] }
                Button("Help") { showsHelp = true }
            }
            .trackedScreen("home")
            .navigationDestination(for: Route.self, destination: destination)
        }
        .trackedPath(path)
        .paywall($paywall, style: style) { Offer(close: { paywall = nil }, other: { paywall = .profile }) }
        .sheet(isPresented: $showsHelp) { Help() }
    }

    @ViewBuilder
    private func destination(of route: Route) -> some View {
        switch route {
        case .product(let id):
            VStack {
                NavigationLink("Cup", value: Route.product("cup"))
                Button("Milk") { path[path.count - 1] = .product("milk") }
                Button("Home") { path = [] }
                Button("Upgrade") { paywall = .profile }
            }
            .trackedScreen("product", item: id)
        case .page:
            VStack {
                Button("Next") { path[path.count - 1] = .page(path.count + 1) }
                Button("Turn") { path = [.offer] }
            }
            .trackedScreen("page")
        case .offer: Offer().paywallScreen(source: Source.profile)
        }
    }
}

/// A paywall, which can be closed in each way.
struct Offer: View {
    var close: @MainActor () -> Void = {}
    var other: @MainActor () -> Void = {}
    @State private var showsTerms = false
    @Environment(\.paywall) private var paywall
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack {
            Button("Year") { paywall?.track("plan_selected", properties: ["plan": "year"]) }
            Button("Close", action: close)
            Button("Other", action: other)
            Button("Dismiss") { dismiss() }
            Button("Terms") { showsTerms = true }
        }
        .sheet(isPresented: $showsTerms) { Text("").trackedScreen("terms") }
    }
}

/// A sheet with a sheet.
private struct Help: View {
    @State private var showsChat = false

    var body: some View {
        Button("Chat") { showsChat = true }
            .trackedScreen("help")
            .sheet(isPresented: $showsChat) { Text("").trackedScreen("chat") }
    }
}

/// An app with tabs, one of them with a stack.
struct TabbedShop: View {
    enum Tab: Hashable { case home, profile }

    @State private var tab = Tab.home
    @State private var path: [String] = []
    @State private var paywall: Source?
    /// Whether each tab says which one it is.
    var namesTabs = true

    var body: some View {
        TabView(selection: $tab) {
            NavigationStack(path: $path) {
                NavigationLink("Tea", value: "tea")
                    .trackedScreen("home")
                    .navigationDestination(for: String.self) { Text($0).trackedScreen("product", item: $0) }
            }
            .trackedPath(path)
            .modifier(Named(tab: namesTabs ? .home : nil))
            .tag(Tab.home)
            Button("Upgrade") { paywall = .profile }
                .trackedScreen("profile")
                .modifier(Named(tab: namesTabs ? .profile : nil))
                .tag(Tab.profile)
        }
        .trackedTabs(tab)
        .paywall($paywall) { Offer(close: { paywall = nil }) }
    }

    private struct Named: ViewModifier {
        let tab: Tab?

        func body(content: Content) -> some View {
            if let tab { content.trackedTab(tab) } else { content }
        }
    }
}
