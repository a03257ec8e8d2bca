import ArgumentParser
import FunnelServiceSupport

/// The flags of all commands that read or write the topic of the events.
package struct TopicOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The brokers; or KAFKA_BOOTSTRAP_SERVERS. Default: localhost:9092.",
            valueName: "host:port,…"
        ),
        transform: SettingText.brokers.value
    )
    package var bootstrapServers: String?

    @Option(
        help: ArgumentHelp("The topic of the events; or KAFKA_TOPIC. Default: app-events.", valueName: "name"),
        transform: SettingText.topic.value
    )
    package var topic: String?

    package init() {}
}
