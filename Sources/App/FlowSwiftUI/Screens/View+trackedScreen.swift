import FlowAnalytics
import Foundation

extension View {
    /// Tracks the view as a screen: a `screen_view` each time it becomes the screen that the user sees.
    ///
    /// ```swift
    /// HomeView().trackedScreen("home")
    ///     .navigationDestination(for: Product.ID.self) { ProductView($0).trackedScreen("product", item: $0.description) }
    /// ```
    ///
    /// Write it on screens: the root and the destinations of a stack, the content of a sheet, the root of a tab. Not on what
    /// is around them, such as a `NavigationStack` or a `TabView`.
    ///
    /// - Parameters:
    ///   - name: the `screen` of its events. Use the same name for every install: no translated titles, no ids.
    ///   - item: the `item_id` of its events, for a screen that shows one item of many. If it changes, the user has left one
    ///     item for another.
    public func trackedScreen(_ name: String, item: String? = nil) -> some View {
        modifier(TrackedScreen(place: ScreenPlace(name, item: item)))
    }
}

struct TrackedScreen: ViewModifier {
    let place: ScreenPlace
    @State private var box = ScreenBox()
    @Environment(\.trackedScene) private var context
    @Environment(\.screenPosition) private var position

    func body(content: Content) -> some View {
        content
            .onAppear { box.appear(in: context, as: place, at: position) }
            .onDisappear { box.disappear() }
            .onChange(of: place) { _, place in box.change(to: place) }
    }
}

/// Tells a scene of one view.
@MainActor
final class ScreenBox {
    private let view = ViewBox()
    #if DEBUG
    private var hasWarned = false
    #endif

    func appear(in context: SceneContext?, as place: ScreenPlace, at position: ScreenPosition) {
        guard let scene = context?.scene else { return warn(place) }
        let token = view.token(in: scene)
        scene.change { $0.appeared(token, as: place, at: position) }
    }

    func disappear() {
        guard let (token, scene) = view.used else { return }
        scene.change { $0.disappeared(token) }
    }

    func change(to place: ScreenPlace) {
        guard let (token, scene) = view.used else { return }
        scene.change { $0.changed(token, to: place) }
    }

    /// A screen that is not tracked is a mistake that nothing else would tell of.
    private func warn(_ place: ScreenPlace) {
        #if DEBUG
        guard !hasWarned else { return }
        hasWarned = true
        let message = "the screen \(place.name) is not tracked: write tracked(by:) around the scene's root view"
        try? FileHandle.standardError.write(contentsOf: Data("flow-funnels: \(message)\n".utf8))
        #endif
    }
}
