import ArgumentParser

/// How the people's events get into the topic.
enum EventRoute: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Straight to the broker, as from a server.
    case kafka
    /// Through `event-collector`, as from a phone.
    case http
}
