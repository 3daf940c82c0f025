internal import HomingBase

/// Scope of a key's value, in a program whose parts have files of their own.
public enum Scope: Sendable {
    /// The whole program: a part's file cannot set it.
    case program
    /// A part; what the main files say is the default of all.
    case inherited
    /// A part alone: what the main files say holds for the first part, and for no other.
    case own
}

/// Words of a program for its parts, and the folder of their files.
public struct Parts: Sendable {
    let folder: String
    let whole: String
    let part: String

    /// - Parameters:
    ///   - folder: beside the main file; a part's files are `FOLDER/NAME.conf` and
    ///     `FOLDER/NAME.conf.d/*.conf`.
    ///   - whole: what the program runs on: `machine`.
    ///   - part: what a part is: `home`.
    public init(folder: String, whole: String, part: String) {
        self.folder = folder
        self.whole = whole
        self.part = part
    }

    /// The scope in words, for those who write the files.
    ///
    /// - Parameter file: what the main file is called: `this file`.
    public func text(_ scope: Scope, file: String) -> String {
        switch scope {
        case .program: "the \(whole)"
        case .inherited: "each \(part); \(file) has the default of all"
        case .own: "one \(part); in \(file), the first"
        }
    }

    /// Whether a part may be called so: 1 to 32 of a-z, 0-9 and "-". A name that begins with "-" could
    /// be taken for an option.
    public static func isName(_ name: some StringProtocol) -> Bool {
        !name.hasPrefix("-") && name.isMade(of: ASCII.smallLetters + ASCII.digits + "-", 1...32)
    }
}
