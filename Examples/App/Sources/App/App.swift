import EventTracking
import FlowAnalytics
import FlowSwiftUI
import Foundation

enum PaywallSource: String { case home, profile }

/// What the app is launched with. An app of its own writes `@main` before it.
struct ShopApp: App {
    let analytics = AppAnalytics(makeTracker())
    var body: some Scene { WindowGroup { RootView().tracked(by: analytics) } }
}

struct RootView: View {
    @State private var path: [Item] = []
    @State private var paywall: PaywallSource?

    var body: some View {
        NavigationStack(path: $path) {
            HomeView(upgrade: { paywall = .home }).trackedScreen("home")
                .navigationDestination(for: Item.self) { ProductView($0).trackedScreen("product", item: $0.id) }
        }
        .trackedPath(path)
        .paywall($paywall) { PaywallView() }  // a sheet; where it was opened is the state
    }
}

struct PaywallView: View {
    @Environment(\.paywall) private var paywall
    // Keeps its source, however late the purchase comes.
    var body: some View { Button("Buy") { paywall?.track("purchase") } }
}

struct Item: Hashable {
    let id: String
}

struct HomeView: View {
    let upgrade: @MainActor () -> Void
    var body: some View {
        VStack {
            NavigationLink("Tea", value: Item(id: "tea"))
            Button("Upgrade", action: upgrade)
        }
    }
}

struct ProductView: View {
    let product: Item
    init(_ product: Item) { self.product = product }
    var body: some View { Text(product.id) }
}

func makeTracker(sink: EventSink = EventSink { $0.map { _ in .delivered } }) -> Tracker {
    let folder = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask)[0]
    let identity = IdentityStore.file(path: folder.appending(path: "identity.json").path)
    return Tracker(source: "app://com.example.shop", identity: identity, sink: sink)
}
