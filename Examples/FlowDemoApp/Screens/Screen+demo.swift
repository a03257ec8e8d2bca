import FlowKit

extension Screen {
    /// The app from its beginning: a stack with the home screen.
    static func start(_ assembly: Assembly) -> Screen {
        Screen { assembly.start() }
    }

    static func profile(_ assembly: Assembly) -> Screen {
        Screen { assembly.profile.build() }
    }

    static func settings(_ assembly: Assembly) -> Screen {
        Screen { assembly.settings.build() }
    }

    static func paywall(_ assembly: Assembly, source: PaywallSource) -> Screen {
        Screen { assembly.paywall.build(source) }
    }
}
