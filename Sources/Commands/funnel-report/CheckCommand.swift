import ArgumentParser
import FlowEvents
import Foundation
import FunnelCommandStores
import FunnelCommandSupport
import FunnelReports
import FunnelServiceSupport
import FunnelStore
import Funnels

/// `funnel-report check`: checks a conversion, for cron and CI.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks that a conversion lies within bounds, on settled days.",
        discussion: """
            It exits with 0 where the conversion lies within the bounds, with 1 where it does not, and with 75 where \
            there are fewer than 30 actors, no settled day, or only settled days that are too old.
            """
    )

    @Argument(help: ArgumentHelp("The funnel.", valueName: "funnel"))
    var funnel: String

    @Option(help: ArgumentHelp("The step to check.", valueName: "name"))
    var step: String

    @Option(
        help: ArgumentHelp("The least conversion, included, such as 0.15.", valueName: "fraction"),
        transform: CheckCommand.fraction
    )
    var min: Double?

    @Option(
        help: ArgumentHelp("The greatest conversion, included.", valueName: "fraction"),
        transform: CheckCommand.fraction
    )
    var max: Double?

    @Option(help: ArgumentHelp("The step to compare with. Default: the first one.", valueName: "step"))
    var of: String?

    @Option(
        help: ArgumentHelp(
            "The greatest age of the newest settled day. Default: the window and 3 days.",
            valueName: "N(d|w)"
        ),
        transform: CheckCommand.age
    )
    var maxAge: Int64?

    @Option(
        help: ArgumentHelp(
            "Posts a message when the state of the check changes: {\"text\": …}, as Slack takes it.",
            valueName: "url"
        ),
        transform: CheckCommand.webhookURL
    )
    var webhook: URL?

    @Option(
        help: ArgumentHelp(
            "The folder that keeps the state between runs. Default: the user's folder for states.",
            valueName: "folder"
        )
    )
    var webhookState: String?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var dayOptions: DayOptions

    func validate() throws {
        if let min, let max, min > max {
            throw ValidationError("--min \(min) is above --max \(max): give the lower bound as --min.")
        }
        if webhookState != nil, webhook == nil { throw ValidationError("--webhook-state is for --webhook URL.") }
    }

    func run() async throws {
        let outcome = try FailureReport.funnelReport.reporting { try checked() }
        try await FailureReport.funnelReport.reporting { try await tell(outcome) }
        switch outcome {
        case .within(let sentence):
            try write(sentence)
        case .outside(let sentence):
            try write(sentence)
            throw ExitCode(1)
        case .undecided(let sentence):
            try write(sentence)
            throw ExitCode(Sysexits.temporaryFailure.rawValue)
        }
    }

    private func checked() throws -> ConversionCheck.Outcome {
        let reader = try storeOptions.openReader()
        let check = ConversionCheck(step: step, base: of, minimum: min, maximum: max, maximumAge: maxAge)
        let names = try FunnelSelection.select([funnel], from: reader.funnels.map(\.name))
        for funnel in reader.funnels where funnel.name == self.funnel { _ = try check.indexes(in: funnel) }
        let request = ReportRequest(funnels: names, days: dayOptions.days, isSettledOnly: true)
        let (report, timeZones, unread) = try reader.withSnapshot { snapshot in
            (
                try FunnelReport.make(from: snapshot, funnels: reader.funnels, request),
                try snapshot.timeZones(of: reader.funnels),
                try snapshot.unreadPartitions(now: .current)
            )
        }
        StandardError.warn(of: unread)
        return try check.outcome(of: report.funnels[0], at: .current, timeZones)
    }

    private func tell(_ outcome: ConversionCheck.Outcome) async throws {
        guard let webhook else { return }
        let bounds = [min, max].map { $0.map { "\($0)" } ?? "" }
        try await CheckWebhook(
            url: webhook,
            folder: webhookState,
            check: [funnel, step, of ?? ""] + bounds,
            environment: ProcessInfo.processInfo.environment
        ).tell(CheckAlert(funnel: funnel, outcome))
    }

    private func write(_ sentence: String) throws {
        try FailureReport.funnelReport.reporting { try StandardOutput.write("\(funnel): \(sentence)\n") }
    }

    private static let fraction: @Sendable (String) throws -> Double = { text in
        guard let value = Double(text), (0...1).contains(value) else {
            throw ValidationError("expected a fraction from 0 to 1, such as 0.15, but found '\(text)'")
        }
        return value
    }

    private static let webhookURL: @Sendable (String) throws -> URL = { text in
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host?.isEmpty == false else {
            throw ValidationError("expected the URL of a webhook, such as https://hooks.slack.com/services/…")
        }
        return url
    }

    private static let age: @Sendable (String) throws -> Int64 = { text in
        guard let days = LastDays(text), days.unit != .months else {
            throw ValidationError("expected a number of days (d) or weeks (w), such as 3d, but found '\(text)'")
        }
        return Int64(days.count) * (days.unit == .weeks ? 7 : 1) * 86_400_000
    }
}
