public import Funnels

extension StoredInstall {
    /// What a conflict says of an install that has no row although the write expected one: version 0, no state.
    ///
    /// A write of ``InstallWrite/expectedVersion`` 0 is then right.
    public static func none(_ install: [UInt8]) -> StoredInstall {
        StoredInstall(install: install, version: 0, state: [])
    }
}
