/// Compares secrets in constant time.
package enum SecretComparison {
    /// Returns whether a guess equals a secret.
    ///
    /// It compares all bytes, so that the time does not show how much of a guess was right. The length of a secret is
    /// not secret. Not inlined, so that the optimizer cannot end the loop early.
    @inline(never)
    package static func isEqual(_ secret: [UInt8], _ guess: [UInt8]) -> Bool {
        guard secret.count == guess.count else { return false }
        var difference: UInt8 = 0
        for index in secret.indices {
            difference |= secret[index] ^ guess[index]
        }
        return difference == 0
    }
}
