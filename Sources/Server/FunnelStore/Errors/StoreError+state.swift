extension StoreError {
    /// What is said where there is no store to read.
    ///
    /// - Parameter name: the store, for people.
    package static func none(at name: String) -> StoreError {
        .missing("there is no store at \(name): start funnel-consumer first, or give the --store that it was given")
    }

    /// What is said where no consumer has opened the store yet.
    package static func empty(_ name: String) -> StoreError {
        .missing("the store \(name) is still empty: no consumer has begun to count in it")
    }

    /// What is said where only a consumer may bring the store up to date.
    package static func older(_ name: String) -> StoreError {
        .unavailable(
            "the store \(name) was written by an older version: start funnel-consumer once to bring it up to date"
        )
    }
}
