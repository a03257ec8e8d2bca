import Foundation

/// Does to an app what iOS does to it. No such type is in UIKit; it is for tests.
@MainActor
public struct HeadlessSystem {
    private let application: UIApplication

    /// The system around an app.
    public init(of application: UIApplication) {
        self.application = application
    }

    /// Whether the system may suspend the app: it is in the background, and no background task runs.
    public var canSuspend: Bool {
        application.applicationState == .background && application.backgroundTasks.isEmpty
    }

    /// Sends the app to the background.
    public func enterBackground() {
        application.applicationState = .background
        NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: application)
    }

    /// Brings the app back.
    public func enterForeground() {
        NotificationCenter.default.post(name: UIApplication.willEnterForegroundNotification, object: application)
        application.applicationState = .active
    }

    /// Tells every background task that its time is over; one that does not end then would get the app killed.
    public func endBackgroundTime() {
        for handler in application.backgroundTasks.values { handler() }
    }
}
