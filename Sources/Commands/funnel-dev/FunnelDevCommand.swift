import ArgumentParser
import Foundation
import FunnelCommandSupport
import FunnelConsumer
import FunnelDevServer
import FunnelFile
import FunnelServiceSupport
import FunnelStore
import Funnels
import LiveEvents
import Logging
import RDKafka
import YAMLNodes

/// `funnel-dev`: shows the events of an app that is being built.
@main struct FunnelDevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel-dev",
        abstract: "Shows an app's events as they come, what is wrong with them, and the funnels that they fill.",
        discussion: """
            One process has all that an app needs while it is built: a Kafka broker in memory, the collector, the consumer \
            with a temporary store, the reports, and the page /live. It prints what to paste into the app. All that was \
            sent is gone when it ends, with Ctrl-C.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The address to listen on. With one that other machines reach, such as 0.0.0.0:8080, it makes a one-time key.",
            valueName: "host:port"
        ),
        transform: SettingText.listenAddress.value
    )
    var listen = ListenAddress(host: "127.0.0.1", port: 8080)

    @Option(help: ArgumentHelp("The funnels file; or FUNNELS_PATH. Default: config/funnels.yaml.", valueName: "path"))
    var funnels: String?

    @Option(
        help: ArgumentHelp("The topic of the events; its dead letters go to NAME.dlq.", valueName: "name"),
        transform: SettingText.topic.value
    )
    var topic = "app-events"

    @Option(
        help: ArgumentHelp(
            "A file with the names of the app's screens, one a line. A screen that is neither in it nor in a funnel is shown "
                + "as wrong.",
            valueName: "path"
        )
    )
    var screens: String?

    func run() async throws {
        FreedMemory.shareAmongThreads()
        try await Self.report.reporting {
            var settings = DevServer.Settings(address: listen, topic: topic, funnels: try readFunnels())
            settings.screens = try readScreens()
            settings.key = listen.isLoopback ? nil : .random()
            let key = settings.key
            do {
                let server = try DevServer(settings, logger: Self.logger) { addresses in
                    try? StandardOutput.write(StartText(addresses, topic: topic, key: key).text)
                }
                try await server.run()
            } catch let error as ListenError {
                throw CommandFailure(.unavailable, "\(error): choose another address with --listen")
            }
        }
    }

    private static let report = FailureReport(command: "funnel-dev") { error in
        switch error {
        case is ConfigurationError: .configuration
        case is KafkaError, is StoreError: .unavailable
        default: nil
        }
    }

    /// Errors only: the developer watches the page, and warnings are about clusters that somebody operates.
    private static var logger: Logger {
        var logger = Logger.command("funnel-dev")
        if ProcessInfo.processInfo.environment["LOG_LEVEL"] == nil { logger.logLevel = .error }
        return logger
    }

    private func readFunnels() throws(ConfigurationError) -> [Funnel] {
        let environment = ProcessInfo.processInfo.environment
        let path = funnels ?? environment["FUNNELS_PATH"].flatMap { $0.isEmpty ? nil : $0 } ?? "config/funnels.yaml"
        return try FunnelsFile.read(path: path, remedy: "give the funnels file with --funnels or FUNNELS_PATH")
    }

    private func readScreens() throws(CommandFailure) -> [String] {
        guard let screens else { return [] }
        return KnownScreens.names(in: try ListFile.lines(of: screens, option: "--screens", failure: .noInput))
    }
}
