import Foundation

/// The lock of a folder, which others wait for. It is released by ``release()``, or by the kernel when the process ends.
///
/// It is a [flock](https://man7.org/linux/man-pages/man2/flock.2.html) on the folder itself, so that no file is left over.
struct FolderLock {
    private let descriptor: Int32

    /// Waits for the lock.
    ///
    /// Some file systems lock no folders. Then nothing is locked.
    init(_ path: String) {
        descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    /// Releases the lock. Call it once.
    func release() {
        if descriptor >= 0 { WriterLock.unlock(descriptor) }
    }
}
