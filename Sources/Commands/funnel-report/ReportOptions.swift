import ArgumentParser
import EventFiles
import Foundation
import FunnelCommandStores
import FunnelCommandSupport
import FunnelConsumer
import FunnelConsumerConfiguration
import FunnelReportServer
import FunnelReports
import FunnelServiceSupport
import FunnelStore
import Funnels
import RDKafka
import YAMLNodes

/// The store of a report, or several that are added up.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The store: sqlite:PATH or postgres://…. Given more than once, the stores count as one.",
            valueName: "url"
        ),
        transform: { try StoreURL($0) }
    )
    var store: [StoreURL] = []

    func validate() throws {
        if let twice = store.first(where: { url in store.count { $0 == url } > 1 }) {
            throw ValidationError("--store \(twice) is given twice: each install would count twice.")
        }
    }

    /// Returns the stores that are named by the flags, by the environment or by the configuration file.
    ///
    /// The configuration file is read only if neither the flag nor the variable names a store, and no other variable is
    /// read. So a mistake elsewhere does not prevent a report.
    func urls(environment: [String: String]) throws -> [StoreURL] {
        if !store.isEmpty { return store }
        let own = environment.filter { $0.key == "STORE_URL" }
        if let store = try ConsumerLayer(environment: own).store { return [store] }
        let file = try ConsumerFile.read(path: nil)
        return file.stores ?? [file.store ?? .standard]
    }

    /// Opens the stores.
    ///
    /// - Parameter patience: how long one statement waits for a lock at most; `nil` for the stores' defaults.
    func openReader(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        patience: Duration? = nil
    ) throws -> CombinedReader {
        try CombinedReader(opening: urls(environment: environment), patience: patience)
    }
}

extension CombinedReader {
    /// Opens the stores of URLs.
    convenience init(opening urls: [StoreURL], patience: Duration? = nil) throws {
        try self.init(urls.map { ("\($0)", try $0.openReader(patience: patience)) })
    }
}

/// The days of a report.
struct DayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The first day, included.", valueName: "YYYY-MM-DD"),
        transform: DayOptions.day
    )
    var from: Day?

    @Option(
        help: ArgumentHelp("The last day, included.", valueName: "YYYY-MM-DD"),
        transform: DayOptions.day
    )
    var to: Day?

    @Option(
        help: ArgumentHelp(
            "The last days, such as 7d, 4w or 3m, up to --to, or else up to the newest day with entries.",
            valueName: "N(d|w|m)"
        ),
        transform: DayOptions.lastDays
    )
    var last: LastDays?

    func validate() throws {
        if from != nil, last != nil { throw ValidationError("--last and --from exclude each other: give one of them.") }
        if let from, let to, from > to {
            throw ValidationError("--from \(from) is after --to \(to): give the earlier day first.")
        }
    }

    var isEmpty: Bool { from == nil && to == nil && last == nil }

    /// The days as a part of a request.
    var days: ReportRequest.Days { last.map { .last($0, upTo: to) } ?? .between(from, to) }

    private static let day: @Sendable (String) throws -> Day = { text in
        guard let day = Day(text) else {
            throw ValidationError("expected a day as YYYY-MM-DD, such as 2026-11-20, but found '\(text)'")
        }
        return day
    }

    private static let lastDays: @Sendable (String) throws -> LastDays = { text in
        guard let days = LastDays(text) else {
            throw ValidationError(
                "expected a number of days (d), weeks (w) or months (m), from 1 to 9999, such as 7d, but found '\(text)'"
            )
        }
        return days
    }
}

extension FailureReport {
    /// The failures of `funnel-report`.
    static let funnelReport = FailureReport(command: "funnel-report") { error in
        switch error {
        case is UnknownFunnels, is ReportRequestError, is ConversionCheckError, is ActorQueryError: .usage
        case is ConfigurationError, is KafkaConfigurationError: .configuration
        case let error as EventFileError: error.code == .damaged ? .dataError : .noInput
        case let error as FunnelConsumerError where error.code == .missingTopic: .noInput
        case is FunnelConsumerError, is KafkaError: .unavailable
        case is DamagedState: .dataError
        case let error as StoreError: Sysexits(error)
        case is MissingPassword: .configuration
        case is ListenError: .unavailable
        default: nil
        }
    } hint: { error in
        switch error {
        case let error as StoreError: error.hint
        case let error as FunnelConsumerError where error.code == .brokersUnreachable:
            "--bootstrap-servers or KAFKA_BOOTSTRAP_SERVERS names other brokers."
        case is DamagedState: "The store is damaged: run funnel-consumer verify, or count again into a new store."
        case is MissingPassword: "Put a password into REPORT_PASSWORD, or leave --listen out."
        case is ListenError: "Choose another address with --listen."
        default: nil
        }
    }
}
