internal import CLinux
internal import Glibc

/// Files that programs we start may not read, whoever they run as.
///
/// The kernel keeps them from a program and from all that it starts, by Landlock (landlock(7)), which
/// needs no privileges. Landlock only permits, so what lies beside the files is permitted: each entry
/// of the folders above them, as they are when the program starts. Of a folder all that is in it is
/// hidden. Beside a file, other files are hidden too: those that may be the same one under another
/// name, or an older one (`Holder`).
public struct Confinement: Equatable, Sendable {
    /// Paths in their given form.
    private let paths: [String]
    /// Paths to which `paths` led when the confinement was made. A link may lead elsewhere when a
    /// program starts.
    private let places: Set<String>

    /// - Parameter hidden: absolute paths.
    public init(hiding hidden: [String]) {
        paths = hidden
        places = Self.places(of: hidden)
    }

    /// Hides nothing.
    public static let none = Confinement(hiding: [])

    /// Whether the kernel can do it: Linux 5.13, with Landlock switched on.
    public static let isAvailable = homing_landlock_version() > 0

    /// Calls it in a thread of its own, which is confined, and so is what it starts. Where the kernel
    /// cannot do that, the body is called as it is.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws(SystemError)
        -> Value
    {
        guard !paths.isEmpty, Self.isAvailable else { return body() }
        let hidden = places.union(Self.places(of: paths))
        var result: Result<Value, SystemError>?
        let work = Box<() -> Void>.retain {
            result = Result { () throws(SystemError) -> Value in
                try Ruleset(hiding: hidden).restrictThread()
                return body()
            }
        }
        defer { releaseBox(work) }
        var thread = pthread_t()
        let error = pthread_create(
            &thread, nil,
            { box in
                if let box { Box<() -> Void>.value(box)() }
                return nil
            }, work)
        guard error == 0 else { throw SystemError("cannot start a thread", number: error) }
        pthread_join(thread, nil)
        guard let result else { throw SystemError("cannot confine a program") }
        return try result.get()
    }

    private static func places(of paths: [String]) -> Set<String> {
        Set(paths.flatMap(LinkTrail.places))
    }
}
