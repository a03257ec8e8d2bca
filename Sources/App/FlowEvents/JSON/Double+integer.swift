extension Double {
    /// The whole number that this is, where it is one that every JSON reader keeps exactly: less than 2⁵³ in magnitude.
    ///
    /// Not `Int64(exactly:)`, which calls libm's `trunc` on x86: without Foundation nothing links that on Linux.
    package var integer: Int64? {
        guard magnitude < 0x1p53 else { return nil }
        let truncated = Int64(self)
        return Double(truncated) == self ? truncated : nil
    }
}
