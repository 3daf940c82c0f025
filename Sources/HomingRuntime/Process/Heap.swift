internal import CLinux

/// The process's own memory, as glibc keeps it.
public enum Heap {
    /// Bytes from which a block is given back to the kernel as soon as it is free.
    private static let large: Int32 = 128 << 10

    /// Keeps glibc from learning larger limits (mallopt(3), M_MMAP_THRESHOLD): once a block of 2 MB
    /// has been freed, such as the longest answer that is read, it would keep as much forever.
    public static func returnLargeBlocks() { _ = mallopt(M_MMAP_THRESHOLD, large) }

    /// Has all threads take memory from one heap (mallopt(3), M_ARENA_MAX). Otherwise each thread of a
    /// library begins its own heap.
    public static func shareOneHeap() { _ = mallopt(M_ARENA_MAX, 1) }

    /// Keeps the process's memory from core dumps, and from debuggers of its own user
    /// (PR_SET_DUMPABLE(2const)).
    public static func hide() { _ = homing_set_dumpable(0) }
}
