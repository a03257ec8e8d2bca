import Foundation

/// What `flow.present` costs the main actor: plain, through both decorators, and with a real tracker behind them.
///
///     flow-kit-bench [BATCHES [PRESENTATIONS-PER-BATCH]]
///
/// The three take turns, batch by batch, and each figure is the median of its batches. A batch is short, a fraction of
/// what a busy machine gives a process at a time, so that the median is of batches that nobody interrupted. The transition
/// is not animated: what happens at its end is measured as well. Only the call is; the dismissal that makes room for the
/// next one is not.
@main
struct FlowBenchmark {
    @MainActor
    static func main() {
        let numbers = CommandLine.arguments.dropFirst().compactMap(Int.init)
        let batches = max(1, numbers.first ?? 4001)
        let presentations = max(1, numbers.dropFirst().first ?? 20)
        let subjects = [Subject.plain(), .decorated(), .decoratedWithTracker()]
        // The first calls find out about classes and fill caches.
        for subject in subjects { _ = subject.microseconds(of: 1000) }
        var samples = subjects.map { _ in [Double]() }
        for _ in 0..<batches {
            for (index, subject) in subjects.enumerated() {
                samples[index].append(subject.microseconds(of: presentations))
            }
        }
        let medians = samples.map { $0.sorted()[$0.count / 2] }
        print(line(plain: medians[0], decorated: medians[1], withTracker: medians[2]))
    }

    private static func line(plain: Double, decorated: Double, withTracker: Double) -> String {
        let fields = [
            ("plain_us", plain), ("decorated_us", decorated), ("difference_us", decorated - plain),
            ("with_tracker_us", withTracker), ("with_tracker_difference_us", withTracker - plain),
        ]
        let numbers = fields.map { "\"\($0.0)\":\(String(format: "%.3f", $0.1))" }
        return "{\"name\":\"flow.present\",\(numbers.joined(separator: ","))}"
    }
}
