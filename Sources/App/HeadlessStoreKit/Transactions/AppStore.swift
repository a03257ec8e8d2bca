/// The App Store.
public enum AppStore {
    /// Which one it is.
    public struct Environment: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates an environment from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The real one.
        public static let production = Environment(rawValue: "Production")
        /// The one for tests.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// A configuration in Xcode.
        public static let xcode = Environment(rawValue: "Xcode")
    }
}
