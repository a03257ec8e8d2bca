import Foundation

/// Counts from the logs of the consumers.
struct ConsumerLogs {
    /// The number of assignments of partitions.
    private(set) var assignments = 0
    /// The number of times that a consumer found another one ahead, and discarded its uncommitted counts.
    private(set) var fences = 0

    /// Reads all logs of a run.
    init(in workspace: Workspace) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: workspace.path) where name.hasSuffix(".log") {
            let text = try String(contentsOfFile: workspace.file(name), encoding: .utf8)
            for line in text.split(separator: "\n") {
                if line.hasSuffix(" assigned") { assignments += 1 }
                if line.contains("another consumer has moved these partitions on") { fences += 1 }
            }
        }
    }
}
