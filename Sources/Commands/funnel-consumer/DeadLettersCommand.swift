import ArgumentParser
import FunnelCommandSupport
import FunnelCommandTopics
import FunnelConsumerConfiguration
import FlowEvents
import Foundation
import FunnelConsumer
import FunnelServiceSupport
import RDKafka
import Logging

/// `funnel-consumer dead-letters`: lists and resends invalid records.
struct DeadLettersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract: "Lists invalid records (dead letters), shows one, or sends a corrected one back.",
        discussion: """
            Without a flag, prints the number of letters for each reason. --reason lists the letters of one reason, each \
            with its partition and offset in the dead-letter topic. --show prints one letter. --resend sends one to the \
            topic of the events, with the value of --value or with its own value, which a newer version may accept. A \
            value that is still invalid is refused. A letter that was sent back stays in the dead-letter topic.
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("List the letters of this reason.", valueName: "reason"))
    var reason: String?

    @Option(
        help: ArgumentHelp("Show the letter at this offset.", valueName: "partition:offset"),
        transform: DeadLetterPosition.parse
    )
    var show: DeadLetterPosition?

    @Option(
        help: ArgumentHelp("Send the letter at this offset back.", valueName: "partition:offset"),
        transform: DeadLetterPosition.parse
    )
    var resend: DeadLetterPosition?

    @Option(
        help: ArgumentHelp("The file with the corrected value for --resend; - for standard input.", valueName: "path")
    )
    var value: String?

    func validate() throws {
        guard [reason != nil, show != nil, resend != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("--reason, --show and --resend: expected only one of them")
        }
        guard value == nil || resend != nil else { throw ValidationError("--value requires --resend") }
    }

    func run() async throws {
        try await FailureReport.funnelConsumer.reporting {
            let settings = try connection.settings()
            let logger = Logger.command("funnel-consumer")
            let topic = DeadLetterTopic(
                kafka: try settings.kafkaConfiguration(logger),
                topic: settings.deadLetterTopic,
                logger: logger
            )
            if let show {
                try StandardOutput.write(DeadLetterText.letter(letter(at: show, in: topic, settings)))
            } else if let resend {
                try await send(letter(at: resend, in: topic, settings), topic, settings)
            } else {
                var text = DeadLetterText(reason: reason)
                let exists = try topic.forEach { text.add($0) }
                let missing =
                    "no dead letters: there is no topic \(settings.deadLetterTopic); --dead-letter-topic names another\n"
                try StandardOutput.write(exists ? text.list : missing)
            }
        }
    }

    private func letter(
        at position: DeadLetterPosition,
        in topic: DeadLetterTopic,
        _ settings: ConsumerSettings
    ) throws -> DeadLetterRecord {
        guard let letter = try topic.letter(partition: position.partition, offset: position.offset) else {
            throw CommandFailure(
                .usage,
                "\(settings.deadLetterTopic) has no letter at \(position): --reason lists letters with their positions"
            )
        }
        return letter
    }

    private func send(_ letter: DeadLetterRecord, _ topic: DeadLetterTopic, _ settings: ConsumerSettings) async throws {
        let mended = try mendedValue()
        let message: ProducerMessage
        do throws(EventViolation) {
            message = try letter.message(mended: mended, now: .current)
        } catch {
            let reason = "\(error.reason.rawValue): \(TerminalText.visible(error.detail))"
            throw CommandFailure(.dataError, "not sent, because it is not a valid event: \(reason)")
        }
        let metadata = try await topic.resend(message, to: settings.topic)
        let offset = metadata.offset.map { ":\($0)" } ?? ""
        try StandardOutput.write("sent to \(settings.topic), partition and offset \(metadata.partition)\(offset)\n")
    }

    private func mendedValue() throws -> [UInt8]? {
        guard let value else { return nil }
        do {
            let handle = try value == "-" ? .standardInput : FileHandle(forReadingFrom: URL(filePath: value))
            return Array(try handle.readToEnd() ?? Data())
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let reason = cause?.localizedFailureReason ?? error.localizedDescription
            let source = value == "-" ? "standard input" : "the file \(value)"
            throw CommandFailure(.usage, "--value: cannot read \(source): \(reason)")
        }
    }
}

/// The partition and offset of a letter in the dead-letter topic, as the argument `PARTITION:OFFSET`.
struct DeadLetterPosition: CustomStringConvertible {
    let partition: Int32
    let offset: Int64

    static func parse(_ argument: String) throws -> DeadLetterPosition {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let partition = Int32(parts[0]), let offset = Int64(parts[1]), partition >= 0,
            offset >= 0
        else {
            throw ValidationError("expected PARTITION:OFFSET as --reason prints it, such as 0:17")
        }
        return DeadLetterPosition(partition: partition, offset: offset)
    }

    var description: String { "\(partition):\(offset)" }
}
