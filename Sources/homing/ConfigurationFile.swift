import HomingBase
import HomingConfiguration
import HomingControl
import HomingRegistration
import HomingRuntime
import HomingSettings

/// The main file of the configuration, whether the file is there or not.
struct ConfigurationFile {
    let path: String
    private let isExplicit: Bool

    /// - Parameter given: as given on the command line; without it the file that this user's settings go to.
    init(_ given: String?) {
        path = given ?? Folders.configurationToWrite()
        isExplicit = given != nil
    }

    /// Reads the file, its drop-ins and the files of homes.
    func load() -> Result<Loaded<Configuration>, SettingsErrors> {
        Configuration.table.load(
            path: path, explicit: isExplicit, first: OfflineState.firstHome)
    }

    /// The values for a home, or for all.
    func values(of home: String?) throws(ControlError) -> Configuration {
        let loaded = try loaded()
        return home.map { loaded.values(of: $0) } ?? loaded.main
    }

    private func loaded() throws(ControlError) -> Loaded<Configuration> {
        switch load() {
        case .success(let loaded): return loaded
        case .failure(let errors):
            throw ControlError(
                .configuration, "\(errors)", hint: "correct that, then run: homing setup")
        }
    }

    /// The folder of the drop-ins of a home's file, or of this file.
    func dropInFolder(of home: String?) -> String {
        let table = Configuration.table
        return table.dropInFolder(of: home.map { table.file(of: $0, beside: path) } ?? path)
    }
}
