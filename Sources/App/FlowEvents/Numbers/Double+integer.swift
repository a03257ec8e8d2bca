extension Double {
    /// The number as an integer; `nil` if it has a fraction, or if its magnitude is 2⁵³ or more, which not every JSON
    /// reader keeps exactly.
    ///
    /// `Int64(exactly:)` would call libm's `trunc` on x86, which Linux does not link without Foundation.
    package var integer: Int64? {
        guard magnitude < 0x1p53 else { return nil }
        let truncated = Int64(self)
        return Double(truncated) == self ? truncated : nil
    }
}
