/// What the files of a program say, all of it right.
public struct Loaded<Root: Sendable>: Sendable {
    /// The values of the whole program, and of the first part where that has no file.
    public let main: Root
    /// What there is to tell of the files though they are right.
    public let notes: [Diagnostic]
    /// The keys of the main files that hold for the first part only: worth a note where there are
    /// more.
    public let ownKeys: [Diagnostic]
    private let inherited: Root
    private let parts: [String: Root]
    private let first: String

    init(
        main: Root, inherited: Root, parts: [String: Root], first: String, notes: [Diagnostic],
        ownKeys: [Diagnostic]
    ) {
        self.main = main
        self.inherited = inherited
        self.parts = parts
        self.first = first
        self.notes = notes
        self.ownKeys = ownKeys
    }

    /// The values of a part, whether it has a file or not.
    public func values(of part: String) -> Root {
        parts[part] ?? (part == first ? main : inherited)
    }
}

extension Loaded: Equatable where Root: Equatable {}

extension Table {
    /// What files would give that say this, and no file of a part.
    public func loaded(_ main: Root, first: String) -> Loaded<Root> {
        Loaded(
            main: main, inherited: inherited(from: main), parts: [:], first: first, notes: [],
            ownKeys: [])
    }
}
