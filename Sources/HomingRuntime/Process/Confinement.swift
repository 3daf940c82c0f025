internal import CLinux
internal import Glibc

/// Files that programs we start may not read, whoever they run as.
///
/// The kernel keeps them from a program and from all that it starts, by Landlock (landlock(7)), which
/// needs no privileges. Landlock only permits, so what lies beside the files is permitted: each entry
/// of the folders above them, as they are when the program starts.
public struct Confinement: Equatable, Sendable {
    /// Absolute paths. Of a folder all that is in it; besides a file, those whose names begin with
    /// its name and a dot.
    public let hidden: [String]

    /// - Parameter hidden: absolute paths; in a folder that is there.
    public init(hiding hidden: [String]) { self.hidden = hidden.flatMap(Self.real) }

    /// Hides nothing.
    public static let none = Confinement(hiding: [])

    /// Whether the kernel can do it: Linux 5.13, with Landlock switched on.
    public static let isAvailable = homing_landlock_version() > 0

    /// Calls it in a thread of its own, which is confined, and so is what it starts. Where the kernel
    /// cannot do that, the body is called as it is.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws(SystemError)
        -> Value
    {
        guard !hidden.isEmpty, Self.isAvailable else { return body() }
        let hidden = hidden
        let work = ThreadWork { () -> Result<Value, SystemError> in
            do throws(SystemError) {
                try Ruleset(hiding: hidden).restrictThread()
                return .success(body())
            } catch {
                return .failure(error)
            }
        }
        var thread = pthread_t()
        let error = pthread_create(
            &thread, nil,
            { box in
                if let box { Unmanaged<AnyWork>.fromOpaque(box).takeUnretainedValue().run() }
                return nil
            }, Unmanaged<AnyWork>.passUnretained(work).toOpaque())
        guard error == 0 else { throw SystemError("cannot start a thread", number: error) }
        pthread_join(thread, nil)
        guard let result = work.result else { throw SystemError("cannot confine a program") }
        return try result.get()
    }

    /// Where it is, and what it links to: a file need not be there yet, but its folder.
    private static func real(_ path: String) -> [String] {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return [] }
        let folder = resolved(String(path[..<slash])).map { $0 + path[slash...] }
        return Set([folder, resolved(path)].compactMap { $0 }).sorted()
    }

    private static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}

/// What a thread does.
private class AnyWork {
    func run() {}
}

private final class ThreadWork<Value>: AnyWork {
    private let body: () -> Value
    private(set) var result: Value?

    init(_ body: @escaping () -> Value) { self.body = body }

    override func run() { result = body() }
}
