/// The exit codes of the commands, a part of BSD's [sysexits](https://man.freebsd.org/cgi/man.cgi?query=sysexits).
package enum Sysexits: Int32, Sendable, Hashable {
    /// EX_USAGE: wrong arguments. ArgumentParser exits with this code too.
    case usage = 64
    /// EX_DATAERR: the store is damaged, of another program, of a newer version, or has other data; or an event to
    /// send back is not valid.
    case dataError = 65
    /// EX_NOINPUT: the store to read from does not exist.
    case noInput = 66
    /// EX_UNAVAILABLE: a broker or a store cannot be reached, or the store is locked, or waits for a consumer to bring it
    /// up to date.
    case unavailable = 69
    /// EX_SOFTWARE: an unexpected error.
    case software = 70
    /// EX_IOERR: standard output cannot be written.
    case ioError = 74
    /// EX_TEMPFAIL: a check has too little data yet.
    case temporaryFailure = 75
    /// EX_CONFIG: a mistake in the configuration, the funnels file or the store's URL.
    case configuration = 78
}
