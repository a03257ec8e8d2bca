import EventTracking
import Foundation
import UIKit

/// The demo's app on iOS. Its controllers create no views: it is the host of the journeys in Tests/FlowHostTests.
///
/// The sources of Examples/FlowDemoApp belong to this target, too.
@main
final class FlowDemoHost: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = DemoSceneDelegate.self
        return configuration
    }
}

final class DemoSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var app: DemoApp?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        self.window = window
        // Tests bring windows of their own.
        guard ProcessInfo.processInfo.environment["XCTestConfigurationFilePath"] == nil else {
            window.rootViewController = UIViewController()
            return window.makeKeyAndVisible()
        }
        // The app prints its events.
        let sink = EventSink(send: { batch in
            for event in batch { print(String(decoding: event.value, as: UTF8.self)) }
            return batch.map { _ in .delivered }
        })
        let tracker = Tracker(source: "app://com.example.demo", identity: .memory(), sink: sink)
        let world = World(tracker: tracker, shop: PurchaseService { _, outcome in outcome(.canceled) })
        World.$current.withValue(world) {
            let app = DemoApp(window: window)
            do { try app.launch() } catch { print("the app cannot launch: \(error)") }
            self.app = app
        }
        window.makeKeyAndVisible()
    }
}
