/// The exit codes of the commands: those of BSD's
/// [sysexits](https://man.freebsd.org/cgi/man.cgi?query=sysexits), the ones that the contract names and no more.
public enum Sysexits: Int32, Sendable, Hashable {
    /// EX_USAGE: the command was called in a wrong way. ArgumentParser ends with it too.
    case usage = 64
    /// EX_DATAERR: a store that is damaged, not ours, newer, or of other data.
    case dataError = 65
    /// EX_NOINPUT: a store to read from that is not there.
    case noInput = 66
    /// EX_UNAVAILABLE: a broker or a store that cannot be reached, or is locked.
    case unavailable = 69
    /// EX_SOFTWARE: something that should not happen.
    case software = 70
    /// EX_IOERR: what was asked for could not be written to standard output.
    case ioError = 74
    /// EX_CONFIG: a mistake in a configuration or a funnels file.
    case configuration = 78
}
