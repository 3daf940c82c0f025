import HomingCore
import HomingRuntime
import Testing

@testable import HomingSensors

@Suite struct SensorCatalogTests {
    private static let sources = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(root)/Sources/HomingSensors/Catalog"
    }()

    @Test("every file in Catalog/ has its line in SensorCatalog, and every line its file")
    func lines() {
        let files = HostFiles().names(in: Self.sources).map { $0.dropLast(".swift".count) }
        let names = SensorCatalog.sensors.map { String(describing: $0) }
        #expect(!files.isEmpty)
        #expect(Set(files.map { String($0) }) == Set(names))
        #expect(names.count == files.count, "a line stands twice")
    }

    @Test("every description has been seen on a recorded machine")
    func recorded() {
        let seen = Set(
            RecordedMachine.all.flatMap { $0.readings().readings.map(\.sensor.family) })
        for description in SensorCatalog.descriptions {
            #expect(
                seen.contains(description.uniqueID),
                "\(description.uniqueID): record what it reads in Tests/HomingSensorsTests/Machines"
            )
        }
    }

    @Test("every description is one that Home Assistant takes, with an id of its own")
    func descriptions() {
        var ids: Set<String> = []
        for description in SensorCatalog.descriptions {
            let id = description.uniqueID
            #expect(description.problem == nil, "\(id)")
            #expect(SensorDescription.slug(id) == id)
            #expect(ids.insert(id).inserted, "\(id) is there twice")
            #expect(!id.hasPrefix(ScriptOutput.idPrefix), "\(id) is a script's")
            #expect(description.summary.hasSuffix("."), "\(id)")
            #expect(!description.isDiagnostic || description.offBecause != "", "\(id)")
        }
    }

    @Test("no id is another's family's, so that none is mistaken for one of several")
    func families() {
        let ids = SensorCatalog.descriptions.map(\.uniqueID)
        for id in ids {
            #expect(!ids.contains { $0 != id && $0.hasPrefix("\(id)_") }, "\(id)")
        }
    }

    @Test("sensors that read files are read on the tick or for devices, the others on a change")
    func occasions() {
        for type in SensorCatalog.sensors {
            let readsFiles = type.reads.contains("`/")
            #expect(readsFiles == (type.occasion != .change), "\(type)")
        }
    }
}
