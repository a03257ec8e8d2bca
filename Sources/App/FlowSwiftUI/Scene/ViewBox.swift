import FlowAnalytics
import Foundation

/// The token of a view, in its `@State`: SwiftUI keeps the box as long as the view's identity, and releases it with that.
///
/// SwiftUI makes many more boxes than views, one each time it makes the value of a view, and drops all but the first. So a
/// box asks for its token when it is used for the first time.
@MainActor
final class ViewBox {
    private var token: ViewToken?
    private var scene: SceneScreens?

    func token(in scene: SceneScreens) -> ViewToken {
        if let token, self.scene === scene { return token }
        let token = scene.makeToken()
        self.token = token
        self.scene = scene
        return token
    }

    /// The token and its scene; `nil` before the first use.
    var used: (token: ViewToken, scene: SceneScreens)? {
        guard let token, let scene else { return nil }
        return (token, scene)
    }

    deinit {
        guard let token, let scene else { return }
        onMainActor { scene.change { $0.gone(token) } }
    }
}

/// Calls a closure on the main actor: at once where SwiftUI releases its state, which is on the main thread, so that it
/// belongs to the change that released it; else on a later turn.
nonisolated func onMainActor(_ action: @escaping @MainActor @Sendable () -> Void) {
    if Thread.isMainThread {
        MainActor.assumeIsolated(action)
    } else {
        Task { @MainActor in action() }
    }
}
