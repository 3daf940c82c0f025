internal import Glibc
import HomingBase
internal import HomingConfiguration
internal import HomingRuntime
internal import HomingSettings

/// agent.conf, and the file of a home beside it: what is taken means the same when it is written
/// again, and what is wrong is told by its line, on one line.
final class ConfigurationTarget: FuzzTarget {
    static let name = "configuration"
    private let folder: Workplace
    private let path: String
    private let homePath: String

    init() throws {
        folder = try Workplace()
        path = "\(folder.path)/agent.conf"
        homePath = "\(folder.path)/homes/cabin.conf"
        mkdir("\(folder.path)/homes", 0o700)
    }

    func run(_ input: [UInt8]) throws {
        try folder.put(input, at: path)
        unlink(homePath)
        switch Configuration.table.load(path: path, explicit: true) {
        case .success(let configuration): try checkIsWrittenBack(configuration.main)
        case .failure(let errors): check(errors, input, in: path)
        }
        try folder.put([], at: path)
        try folder.put(input, at: homePath)
        if case .failure(let errors) = Configuration.table.load(path: path, explicit: true) {
            check(errors, input, in: homePath)
        }
        unlink(homePath)
    }

    private func checkIsWrittenBack(_ configuration: Configuration) throws {
        let text = Configuration.table.sections.map { section in
            let keys = section.keys.map { "\($0.name) = \($0.text(in: configuration))" }
            return "[\(section.name)]\n"
                + keys.filter { !$0.hasSuffix(" = ") }.joined(separator: "\n")
        }.joined(separator: "\n")
        let written = faultIsPlanted ? text.replacing(";", with: "") : text
        try folder.put(Array(written.utf8), at: path)
        switch Configuration.table.load(path: path, explicit: true) {
        case .success(let back):
            require(back.main == configuration, "it changes when it is written")
        case .failure(let errors): require(false, "what was written is refused: \(errors)")
        }
    }

    private func check(_ errors: SettingsErrors, _ input: [UInt8], in path: String) {
        let lines = input.count { $0 == 0x0A } + 1
        require(!errors.diagnostics.isEmpty, "refused without a reason")
        require(errors.diagnostics.count <= 101, "\(errors.diagnostics.count) reasons")
        for diagnostic in errors.diagnostics {
            require(diagnostic.file == path, "it is about \(diagnostic.file)")
            // Without a line are only those that say why the file as a whole is none.
            let aboutAll = diagnostic.message.hasPrefix("is ")
            require(diagnostic.line.map { (1...lines) ~= $0 } ?? aboutAll, "\(diagnostic)")
            let text = diagnostic.description
            require(!diagnostic.message.isEmpty && text.count < 2000, "\(text.count) characters")
            require(text.unicodeScalars.allSatisfy { !isControl($0) }, text.debugDescription)
        }
    }
}
