// The only place of the package that knows on which platform it is. Everything else imports this module and finds
// Apple's names in it, so that one set of sources serves both.
#if canImport(UIKit)
@_exported import UIKit

/// Refers to a controller, and does not keep it alive. Headless UIKit has one of its own: where there is no Objective-C, a
/// weak reference makes all reference counting of the object slow.
@MainActor
package struct WeakController {
    package private(set) weak var controller: UIViewController?

    package init(_ controller: UIViewController) {
        self.controller = controller
    }
}

/// The same for a window.
@MainActor
package struct WeakWindow {
    package private(set) weak var window: UIWindow?

    package init(_ window: UIWindow) {
        self.window = window
    }
}

/// Whether the app is in the background. An extension has no app, and must not name `UIApplication.shared`: not even in
/// code that it never calls.
@MainActor package var isAppInBackground: Bool {
    guard !Bundle.main.bundlePath.hasSuffix(".appex") else { return false }
    return (UIApplication.value(forKey: "sharedApplication") as? UIApplication)?.applicationState == .background
}
#else
@_exported import HeadlessUIKit

/// Whether the app is in the background.
@MainActor package var isAppInBackground: Bool { UIApplication.shared.applicationState == .background }
#endif
