/// What is wrong with a store. Each case holds a sentence that names the store and the way out.
///
/// New cases may come: a `switch` needs a default.
public enum StoreError: Error, Sendable, Hashable {
    /// There is no store to read at that place.
    case missing(String)
    /// What is there is damaged, or is no store of ours.
    case unusable(String)
    /// The store was written by a newer version of this program.
    case newer(String)
    /// The store belongs to another cluster, topic or set of funnels.
    case otherData(String)
    /// The store cannot be reached, is locked, or may not be written.
    case unavailable(String)
}

extension StoreError: CustomStringConvertible {
    /// The sentence.
    public var description: String {
        switch self {
        case .missing(let text), .unusable(let text), .newer(let text), .otherData(let text), .unavailable(let text):
            text
        }
    }
}
