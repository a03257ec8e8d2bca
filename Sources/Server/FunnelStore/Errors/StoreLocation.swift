import Funnels

/// What tells a driver's errors as ``StoreError``s that name the store and the way out.
package protocol StoreErrorTelling {
    /// The store, for people.
    var name: String { get }

    /// What is said of a store that cannot be read.
    func damaged(_ detail: String) -> StoreError

    /// What a driver's error means; `nil` where the error is none of its own.
    func told(_ error: any Error) -> StoreError?
}

extension StoreErrorTelling {
    /// Runs `body`, and tells what it throws.
    package func translating<R>(_ body: () throws -> R) throws(StoreError) -> R {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch is DamagedSegment {
            throw damaged("a segment of the summary cannot be read")
        } catch {
            throw told(error) ?? .unavailable("the store \(name): \(error)")
        }
    }
}
