public import YAMLNodes

extension CollectorSettings {
    /// Puts what the environment says over what the file says: `COLLECTOR_LISTEN`, `KAFKA_BOOTSTRAP_SERVERS` and
    /// `KAFKA_TOPIC`. An empty variable is the same as none, as container tools pass them.
    ///
    /// - Throws: `ConfigurationError` where `COLLECTOR_LISTEN` is no address.
    public mutating func apply(environment: [String: String]) throws(ConfigurationError) {
        func variable(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let text = variable("COLLECTOR_LISTEN") {
            guard let listen = ListenAddress(text) else {
                throw ConfigurationError(
                    place: "COLLECTOR_LISTEN",
                    message: "expected HOST:PORT, such as 127.0.0.1:8080, found '\(text)'"
                )
            }
            address = listen
        }
        bootstrapServers = variable("KAFKA_BOOTSTRAP_SERVERS") ?? bootstrapServers
        topic = variable("KAFKA_TOPIC") ?? topic
    }
}
