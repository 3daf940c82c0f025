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
