/// A test of variants: the breakdown has a value for each variant, and the report compares them with one of them.
///
/// ```swift
/// Experiment(control: "plain", shares: ["plain": 1, "video": 1])
/// ```
///
/// It belongs to the report and does not affect the counts.
public struct Experiment: Sendable, Hashable, Codable {
    /// The share of the actors that a variant was meant to get.
    public struct Share: Sendable, Hashable, Codable {
        /// The variant: a value of the breakdown.
        public let value: String
        /// The share, in proportion to the others; more than 0.
        public let weight: Double

        /// Creates a share.
        public init(_ value: String, _ weight: Double) {
            self.value = value
            self.weight = weight
        }
    }

    /// The variant with which the others are compared: a value of the breakdown.
    public let control: String
    /// The shares; empty where all variants that have actors were meant to get equal shares.
    public let shares: [Share]

    /// Creates an experiment.
    public init(control: String, shares: KeyValuePairs<String, Double> = [:]) {
        self.init(control: control, shareList: shares.map { Share($0.key, $0.value) })
    }

    /// Creates an experiment from a list of shares.
    public init(control: String, shareList: [Share]) {
        self.control = control
        shares = shareList
    }
}
