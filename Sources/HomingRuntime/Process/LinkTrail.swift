internal import Glibc

/// Trail of a path, from link to link.
enum LinkTrail {
    /// More links than the kernel follows.
    private static let limit = 41

    /// The path and each that it links to, all in folders without links. A file need not be there
    /// yet, but its folder.
    static func places(of path: String) -> [String] {
        var places: [String] = []
        var next = path
        while places.count < limit, let place = place(of: next), !places.contains(place) {
            places.append(place)
            guard let target = target(of: place) else { break }
            next = target.hasPrefix("/") ? target : "\(folder(of: place))/\(target)"
        }
        return places
    }

    /// The folder that holds it, of a path that is absolute and without a slash at its end.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Follows the links to its folder, but not the link that it may be itself.
    private static func place(of path: String) -> String? {
        let parts = path.split(separator: "/")
        guard path.hasPrefix("/"), let name = parts.last else { return nil }
        if name == "." || name == ".." { return resolved(path) }
        guard let folder = resolved("/" + parts.dropLast().joined(separator: "/")) else {
            return nil
        }
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    private static func target(of link: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &text, text.count)
        guard count > 0 else { return nil }
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
