/// Targets with a fault that only their inputs' own structure leads to; with them
/// scripts/tests/fuzz shows that a fault of each kind is found and told.
enum PlantedTarget {
    static var all: [any FuzzTarget.Type] {
        [
            PlantedBreach.self, PlantedTrap.self, PlantedOverrun.self, PlantedLoop.self,
            PlantedCost.self,
        ]
    }

    /// Whether the input begins with the word; compared byte by byte, so that coverage leads there.
    @inline(never) static func begins(_ input: [UInt8], _ word: String) -> Bool {
        for (index, byte) in word.utf8.enumerated() {
            guard index < input.count, input[index] == byte else { return false }
        }
        return true
    }
}

/// A rule that is broken.
final class PlantedBreach: FuzzTarget {
    static let name = "planted-breach"
    func run(_ input: [UInt8]) {
        require(!PlantedTarget.begins(input, "pig"), "planted")
    }
}

/// An arithmetic overflow, which Swift traps.
final class PlantedTrap: FuzzTarget {
    static let name = "planted-trap"
    private var sum: UInt8 = 0
    func run(_ input: [UInt8]) {
        sum = 250
        if PlantedTarget.begins(input, "pig") { sum += input[0] }
    }
}

/// A read behind the end of what was allocated, which only the address sanitizer sees.
final class PlantedOverrun: FuzzTarget {
    static let name = "planted-overrun"
    private var seen: UInt8 = 0
    func run(_ input: [UInt8]) {
        guard PlantedTarget.begins(input, "pig") else { return }
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: input.count)
        memory.initialize(from: input, count: input.count)
        seen = memory[input.count]
        memory.deallocate()
    }
}

/// Work without end.
final class PlantedLoop: FuzzTarget {
    static let name = "planted-loop"
    private var turns = 0
    func run(_ input: [UInt8]) {
        while PlantedTarget.begins(input, "pig") { turns &+= 1 }
    }
}

/// Work that grows with the cube of the input's size, up to a second: longer work would be an input
/// that hangs, before its cost is known.
final class PlantedCost: FuzzTarget {
    static let name = "planted-cost"
    private var state: UInt64 = 1
    func run(_ input: [UInt8]) {
        guard PlantedTarget.begins(input, "pig") else { return }
        let size = min(input.count, 12)
        for _ in 0..<size * size * size * 200_000 {
            // Which number comes next can only be found by going there.
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
        }
    }
}
