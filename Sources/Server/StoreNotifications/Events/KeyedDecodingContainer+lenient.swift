// A sender may add values of new types. A field that funnels can do without is then absent.
extension KeyedDecodingContainer {
    /// A text that is not empty; `nil` for anything else.
    func text(_ key: Key) -> String? {
        guard let text = try? decodeIfPresent(String.self, forKey: key), !text.isEmpty else { return nil }
        return text
    }

    /// An integer of 64 bits; `nil` for anything else.
    func integer(_ key: Key) -> Int64? { (try? decodeIfPresent(Int64.self, forKey: key)) ?? nil }

    /// A truth value; `nil` for anything else.
    func bool(_ key: Key) -> Bool? { (try? decodeIfPresent(Bool.self, forKey: key)) ?? nil }
}
