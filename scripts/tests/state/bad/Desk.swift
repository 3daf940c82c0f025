final class Desk {
    var entries: [String] = []
    public var total = 0
    weak var owner: Desk?
    lazy var name = { "desk" }()
    static var shared = Desk()
    var watched = 0 {
        didSet { total += 1 }
    }
    var (width, height) = (0, 0)
    private(set) var shown = 0
    @MainActor
    var other: [String: Int]

    class Inner {
        var map: [String: (Int) -> Void] = [:]
    }
}

extension Desk {
    actor Keeper { var kept: Int? }
}

enum Shared {
    nonisolated(unsafe) static var exitCode = 0
}

nonisolated(unsafe) var total = 0
public final class Part {
    @LoopActor private var kept = 0
    var open = 0
    public internal(set) var half = 0
    var `class` = ""
}
