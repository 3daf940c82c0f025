internal import HomingRuntime

/// The files of the configuration, as the program reads them.
public struct ConfigurationFiles {
    /// Returns the path of the main file, which may be another file than at the start: a user's own file counts
    /// from the time it exists.
    let path: () -> String
    /// Returns the first error in the files for this first home.
    let problem: (_ first: String?) -> String?
    /// Reads the files again, and applies them. Returns the errors, with which nothing is applied.
    let reload: @LoopActor () -> [String]

    public init(
        path: @escaping () -> String, problem: @escaping (_ first: String?) -> String?,
        reload: @escaping @LoopActor () -> [String]
    ) {
        self.path = path
        self.problem = problem
        self.reload = reload
    }
}
