import Foundation

/// A report as its readers get it: the contract's JSON.
struct Report: Decodable, Equatable {
    struct Funnel: Decodable, Equatable {
        let name: String
        let count: String
        let window_seconds: Double
        let from: String?
        let to: String?
        let steps: [Step]
        let breakdown: [Part]?
        let trend: [Bucket]?
        let comparison: Comparison?
    }

    struct Bucket: Decodable, Equatable {
        let from: String
        let to: String
        let state: String
        let steps: [Step]
    }

    struct Comparison: Decodable, Equatable {
        let from: String
        let to: String
    }

    struct Part: Decodable, Equatable {
        let value: String
        let steps: [Step]
    }

    struct Step: Decodable, Equatable {
        let name: String
        let count: Int
        let conversion_from_first: Double?
        let conversion_from_previous: Double?
        let conversion_from_first_interval: [Double]?
        let conversion_from_previous_interval: [Double]?
        let median_ms_from_first: Int?
        let median_ms_from_previous: Int?
    }

    struct Quality: Decodable, Equatable {
        var events: Int
        var duplicates: Int
        var late: Int
        var dead_letters: Int
    }

    let funnels: [Funnel]
    var quality: Quality

    init(_ json: String) throws {
        self = try JSONDecoder().decode(Report.self, from: Data(json.utf8))
    }

    /// The counts of a funnel's steps.
    func counts(_ funnel: String) -> [Int] {
        funnels.first { $0.name == funnel }?.steps.map(\.count) ?? []
    }
}
