import Foundation

/// What the consumers said of themselves.
struct ConsumerLogs {
    /// How often one of them was given its partitions.
    private(set) var assignments = 0
    /// How often one of them found that another had moved its partitions on, and took back what it had counted.
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
