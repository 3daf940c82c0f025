/// The values in the files of a program, without an error.
public struct Loaded<Root: Sendable>: Sendable {
    /// The values of the whole program, and of the first part where that has no file.
    public let main: Root
    /// Notes about the files, which have no error.
    public let notes: [Diagnostic]
    /// The keys of the main files that hold for the first part alone: worth a note where there are
    /// more parts.
    public let ownKeys: [Diagnostic]
    let inherited: Root
    var parts: [String: Part]
    var first: String?
    /// The keys, as `section.key`, that a line with an error means to set in the main files.
    var unreadable: Set<String> = []

    /// The values in the files of a part.
    struct Part: Sendable {
        /// The values where the part is the first: over all values of the main files.
        let asFirst: Root
        /// The values where another part is the first: over the values for all parts.
        let asOther: Root
        /// The keys in these files that hold for one part alone.
        let ownKeys: [Diagnostic]
        /// The keys, as `section.key`, that a line with an error means to set for the part.
        var unreadable: Set<String> = []
    }

    /// The parts that have a file, in the order of their names.
    public var partNames: [String] { parts.keys.sorted() }

    /// Returns `FILE:LINE` where a key that holds for one part alone is set for this part. Returns
    /// `nil` where no file sets the key.
    ///
    /// - Parameter key: `section.key`.
    public func place(of key: String, for part: String) -> String? {
        let keys = (parts[part]?.ownKeys ?? []) + (part == first ? ownKeys : [])
        return keys.first { $0.key == key }.map { key in
            key.line.map { "\(key.file):\($0)" } ?? key.file
        }
    }

    /// The same values, where a part has another name. The values of its files go along, unless there
    /// are files for the new name.
    public func renaming(_ part: String, to name: String) -> Loaded {
        var renamed = self
        let values = renamed.parts.removeValue(forKey: part)
        renamed.parts[name] = parts[name] ?? values
        if first == part { renamed.first = name }
        return renamed
    }

    /// The same values, where another part is the first, or no part is.
    public func with(first: String?) -> Loaded {
        var changed = self
        changed.first = first
        return changed
    }

    /// The same values of each part, where `restrict` takes each with those of the other files, and with
    /// the keys (`section.key`) that cannot be read there.
    public func restricted(
        by other: Loaded,
        _ restrict: (_ value: Root, _ by: Root, _ unreadable: Set<String>) -> Root
    ) -> Loaded {
        let ofMain = other.unreadable
        var restricted = Loaded(
            main: restrict(main, other.main, ofMain), notes: notes, ownKeys: ownKeys,
            inherited: restrict(inherited, other.inherited, ofMain), parts: [:], first: first)
        for name in Set(parts.keys).union(other.parts.keys) {
            let (own, its) = (parts[name], other.parts[name])
            let unreadable = ofMain.union(its?.unreadable ?? [])
            restricted.parts[name] = Part(
                asFirst: restrict(own?.asFirst ?? main, its?.asFirst ?? other.main, unreadable),
                asOther: restrict(
                    own?.asOther ?? inherited, its?.asOther ?? other.inherited, unreadable),
                ownKeys: own?.ownKeys ?? [])
        }
        return restricted
    }

    /// The values of a part, whether it has a file or not.
    public func values(of part: String) -> Root {
        let isFirst = part == first
        guard let values = parts[part] else { return isFirst ? main : inherited }
        return isFirst ? values.asFirst : values.asOther
    }
}

extension Loaded: Equatable where Root: Equatable {}
extension Loaded.Part: Equatable where Root: Equatable {}

extension Table {
    /// These values, as if files had them, without a file of a part.
    public func loaded(_ main: Root, first: String?) -> Loaded<Root> {
        Loaded(
            main: main, notes: [], ownKeys: [], inherited: inherited(from: main), parts: [:],
            first: first)
    }
}
