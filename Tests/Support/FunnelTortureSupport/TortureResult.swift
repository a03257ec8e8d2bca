/// What came of a torture run: the table that it prints, and whether it was survived.
package struct TortureResult: Sendable {
    /// The seed.
    package var seed: UInt64
    /// How long apps were tortured.
    package var duration: Duration
    /// How disks were made to be full, in words.
    package var diskFilling: String
    /// How many faults of each kind there were.
    package var faults: [Fault.Kind: Int]
    /// How many processes have tracked events.
    package var runs: Int
    /// What the audit found.
    package var audit: Audit
    /// How many lines of the report differ from the brute force.
    package var differences: Int

    /// Creates a result.
    package init(
        seed: UInt64,
        duration: Duration,
        diskFilling: String,
        faults: [Fault.Kind: Int],
        runs: Int,
        audit: Audit,
        differences: Int
    ) {
        self.seed = seed
        self.duration = duration
        self.diskFilling = diskFilling
        self.faults = faults
        self.runs = runs
        self.audit = audit
        self.differences = differences
    }

    /// Whether nothing was lost, broken or miscounted. A run that tracked nothing proves nothing.
    package var isSurvived: Bool { audit.isClean && differences == 0 && audit.tracked > 0 }

    /// The table, a line each, ending with a line feed.
    package var table: String {
        let rows = rows
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in
            name + String(repeating: " ", count: width + 2 - name.count) + value + "\n"
        }.joined()
    }

    private var rows: [(String, String)] {
        var rows = [("seed", "\(seed)"), ("duration", "\(duration.components.seconds) s")]
        for kind in Fault.Kind.allCases {
            let note = kind == .fullDisks ? " (\(diskFilling))" : ""
            rows.append((kind.rawValue, "\(faults[kind] ?? 0)\(note)"))
        }
        rows.append(("app runs", "\(runs)"))
        rows.append(("events tracked", "\(audit.tracked)"))
        rows.append(("events in the topic", "\(audit.arrived)"))
        rows.append(("sent again", "\(audit.repeated)"))
        for (reason, count) in audit.dropped.sorted(by: { $0.key < $1.key }) {
            rows.append(("dropped, \(reason)", "\(count)"))
        }
        rows.append(("counted as dropped, and arrived", "\(audit.droppedAndArrived)"))
        for breach in Audit.Breach.allCases { rows.append((breach.rawValue, "\(audit.breaches[breach] ?? 0)")) }
        rows.append(("lost without a reason", "\(audit.lost)"))
        rows.append(("differences to the brute force", "\(differences)"))
        return rows
    }
}
