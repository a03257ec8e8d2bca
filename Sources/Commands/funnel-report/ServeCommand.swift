import ArgumentParser
import Foundation
import FunnelCommandStores
import FunnelCommandSupport
import FunnelConsumerConfiguration
import FunnelReportServer
import FunnelServiceSupport
import FunnelStore
import Funnels
import Logging
import ServiceLifecycle
import UnixSignals

/// `funnel-report serve`: shows the reports in a browser.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Shows the reports in a browser, and as JSON, while consumers count.",
        discussion: """
            On an address that other machines can reach, it wants a password in REPORT_PASSWORD; browsers ask for it, \
            with any user name. It has no TLS: put a proxy before it. After SIGTERM or SIGINT it answers the current \
            requests and exits.
            """
    )

    @OptionGroup var storeOptions: StoreOptions

    @Option(
        help: ArgumentHelp("The address to listen on. Default: 127.0.0.1:8081.", valueName: "host:port"),
        transform: SettingText.listenAddress.value
    )
    var listen: ListenAddress?

    /// How long a reader waits for a lock.
    private static let patience = Duration.seconds(10)

    func run() async throws {
        try await FailureReport.funnelReport.reporting {
            let environment = ProcessInfo.processInfo.environment
            let settings = try ReportServerSettings(
                address: listen ?? ReportServerSettings.standardAddress,
                password: environment["REPORT_PASSWORD"]
            )
            let urls = try storeOptions.urls(environment: environment)
            // A wrong path or a store of another program is a mistake of the operator, who is still there now.
            _ = try CombinedReader(opening: urls, patience: Self.patience).withSnapshot { try $0.quality() }
            let store = StoreOpening(keepsReaders: urls.allSatisfy(\.isDatabase)) {
                try CombinedReader(opening: urls, patience: Self.patience)
            }
            let logger = Logger.command("funnel-report")
            let server = FunnelReportServer(settings: settings, store: store, logger: logger)
            var configuration = ServiceGroupConfiguration(
                services: [server],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
            // After this time a client that does not read its answer is disconnected.
            configuration.maximumGracefulShutdownDuration = settings.limits.patience + .seconds(5)
            try await ServiceGroup(configuration: configuration).run()
        }
    }
}

extension StoreURL {
    /// Whether the store is a database server, and not a file.
    fileprivate var isDatabase: Bool {
        if case .postgres = self { true } else { false }
    }
}
