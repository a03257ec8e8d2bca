import NIOCore

/// Answers in a bounded memory. Of too many, those are removed that have not been asked for the longest.
struct ReportCache {
    private struct Entry {
        var answer: ReportAnswer
        var lastUse: Int
    }

    private let limit: Int
    private var entries: [ReportQuestion: Entry] = [:]
    private var clock = 0
    /// The bytes of all answers.
    private(set) var size = 0

    /// - Parameter limit: the greatest number of bytes. An answer that needs more than a quarter of it is not kept.
    init(limit: Int) {
        self.limit = limit
    }

    subscript(question: ReportQuestion) -> ReportAnswer? {
        mutating get {
            clock += 1
            entries[question]?.lastUse = clock
            return entries[question]?.answer
        }
        set {
            if let old = entries.removeValue(forKey: question) { size -= Self.size(old.answer) }
            guard let newValue, Self.size(newValue) <= limit / 4 else { return }
            clock += 1
            entries[question] = Entry(answer: newValue, lastUse: clock)
            size += Self.size(newValue)
            while size > limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                entries[oldest.key] = nil
                size -= Self.size(oldest.value.answer)
            }
        }
    }

    mutating func removeAll() {
        entries.removeAll()
        size = 0
    }

    /// The body and, roughly, the question with its funnel's name.
    private static func size(_ answer: ReportAnswer) -> Int { answer.body.readableBytes + 1024 }
}
