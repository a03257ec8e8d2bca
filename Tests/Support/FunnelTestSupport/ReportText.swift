/// The JSON of a report without what depends on the partitions of the topic.
package enum ReportText {
    /// Removes `settled_to`, `final_to`, `held_back_by` and `experiment`, which looks at settled days only. A brute force over
    /// the records does not know them.
    package static func withoutStates(_ json: String) -> String {
        var lines: [Substring] = []
        var isRemoved = false
        for line in json.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("   \"held_back_by\": {") || line.hasPrefix("   \"experiment\": {") { isRemoved = true }
            let isState = line.hasPrefix("   \"settled_to\": ") || line.hasPrefix("   \"final_to\": ")
            if !isRemoved, !isState { lines.append(line) }
            // The end of the object, which is as indented as its key.
            guard isRemoved, line == "   }," || line == "   }" else { continue }
            isRemoved = false
            // It was the last member.
            if line == "   }", let last = lines.popLast() { lines.append(last.last == "," ? last.dropLast() : last) }
        }
        return lines.joined(separator: "\n")
    }
}
