import HomingTestKit
import Testing

@testable import HomingSensors

@Suite struct SensorCatalogTests {
    @Test("every sensor has its file, its line, a recording, and its row in docs/sensors.md")
    func complete() throws {
        // Where the page is written anew, another test is about to write it.
        let page = Golden.isUpdating ? SensorTable.markdown() : try Page("sensors.md").text
        let check = CatalogCheck(page: page)
        #expect(!check.files.isEmpty)
        for problem in check.problems { Issue.record("\(problem)") }
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
