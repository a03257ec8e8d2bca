import EventTracking
import FlowAnalytics
import FlowKit
import ScreenJourneys
import UIPlatform

extension Builders {
    /// The home screen, and where it leads.
    enum Home {
        @MainActor static func screen(_ flow: HomeFlow) -> UIViewController {
            let journeys = Current.journeys
            return HomeViewController(
                greeting: Greeting(
                    at: Current.date(),
                    calendar: Current.calendar,
                    timeZone: Current.timeZone,
                    session: Current.session
                ),
                loadShortcuts: { await Shortcuts(from: journeys) },
                handle: flow.handle
            )
        }
    }

    /// The profile, and where it leads.
    enum Profile {
        @MainActor static func screen(_ flow: ProfileFlow) -> UIViewController {
            ProfileViewController(handle: flow.handle)
        }
    }

    /// The settings, and where they lead.
    enum Settings {
        @MainActor static func screen(_ flow: SettingsFlow) -> UIViewController {
            let world = Current
            return SettingsViewController(tracker: world.tracker) { route in
                // The question to forget is made when the user taps.
                World.$current.withValue(world) { flow.handle(route) }
            }
        }

        /// Asks whether what is kept on the device is to be forgotten, and forgets it.
        ///
        /// - Parameter failed: told why it could not all be deleted.
        @MainActor static func forgetQuestion(
            failed: @escaping @MainActor (JourneysError) -> Void
        ) -> UIViewController {
            let journeys = Current.journeys
            return Builders.alert(
                title: "Forget your shortcuts?",
                message: "What you visited is deleted from this device.",
                primary: AlertAction("Forget", role: .destructive) {
                    Task {
                        do throws(JourneysError) { try await journeys?.optOut() } catch { failed(error) }
                    }
                },
                secondary: AlertAction("Keep", role: .cancel)
            )
        }
    }
}
