internal import CLinux

/// The part of this thread's stack that returned functions have used.
///
/// Swift keeps texts of up to 15 bytes in registers and frames, not on the heap, where `free` wipes
/// them. A thread that then has nothing to do keeps them for as long.
public enum DeadStack {
    /// Wipes 64 KiB below the caller's frame; takes 2 µs.
    public static func wipe() { homing_wipe_stack() }
}
