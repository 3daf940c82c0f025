import HomingRuntime

@testable import HomingSensors

/// Whether each sensor has what belongs to it: a file and a line in the catalogue, a recording of
/// what it reads, and a row in docs/sensors.md.
struct CatalogCheck {
    /// The lines of the catalogue.
    var sensors = SensorCatalog.sensors
    /// The names of the files in `Catalog/`, without `.swift`.
    var files = HostFiles().names(in: "\(Repository.root)/Sources/HomingSensors/Catalog")
        .map { String($0.dropLast(".swift".count)) }
    /// Recorded machines, each with the folder of its files.
    var machines = RecordedMachine.all.map { (machine: $0, folder: $0.folder) }
    /// The text of docs/sensors.md.
    var page: String

    init(page: String) { self.page = page }

    /// A sentence for each thing that is missing.
    var problems: [String] { lineProblems + recordingProblems + rowProblems }

    private var lineProblems: [String] {
        let lines = sensors.map { String(describing: $0) }
        let (named, there) = (Set(lines), Set(files))
        let unnamed = there.subtracting(named).sorted()
        let homeless = named.subtracting(there).sorted()
        let twice = named.filter { name in lines.count(where: { $0 == name }) > 1 }.sorted()
        return unnamed.map { "\($0).swift has no line in SensorCatalog" }
            + homeless.map { "\($0) has no file of its own in Catalog/" }
            + twice.map { "\($0) has two lines in SensorCatalog" }
    }

    private var recordingProblems: [String] {
        let seen = Set(
            machines.flatMap { machine, folder in
                machine.readings(of: sensors, root: folder).readings.map(\.sensor.family)
            })
        return sensors.flatMap { $0.descriptions }.map(\.uniqueID).filter { !seen.contains($0) }
            .map { "\($0): record what it reads in Tests/HomingSensorsTests/Machines" }
    }

    private var rowProblems: [String] {
        let lines = Set(page.split(separator: "\n").map { String($0) })
        return SensorTable.rows(of: sensors).filter { !lines.contains($0.text) }
            .map { "\($0.uniqueID): docs/sensors.md has no such row, or it says something else" }
    }
}
