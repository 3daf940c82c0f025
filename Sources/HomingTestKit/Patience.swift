public import HomingBase

/// Limits after which a test gives up.
public enum Patience {
    /// Seconds for what takes an optimised program a moment. An unoptimised program, or qemu on a machine that does
    /// much else, may take a hundred times as long.
    public static let moment: Seconds = 120
}
