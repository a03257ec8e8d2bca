/// The JSON of a report without what depends on the partitions of the topic.
package enum ReportText {
    /// Removes `settled_to`, `final_to` and `held_back_by`, which a brute force over the records does not know.
    package static func withoutStates(_ json: String) -> String {
        var lines: [Substring] = []
        var isHeldBack = false
        for line in json.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("   \"held_back_by\": {") { isHeldBack = true }
            let isState = line.hasPrefix("   \"settled_to\": ") || line.hasPrefix("   \"final_to\": ")
            if !isHeldBack, !isState { lines.append(line) }
            // The end of the object, which is as indented as its key.
            if line == "   }," { isHeldBack = false }
        }
        return lines.joined(separator: "\n")
    }
}
