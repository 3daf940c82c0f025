import HomeAssistantAPI
import HomingJSON
import Testing

/// Entry in Home Assistant's registry of a tracker that no receipt shows.
@Suite struct TrackerEntryTests {
    private func entry(_ entities: String, _ reply: String) throws -> TrackerEntry {
        let configuration = try JSON.decode(
            ConfigurationReply.self,
            from: Array("{\"version\":\"2026.11.0\",\"components\":[]\(entities)}".utf8))
        let answer = try JSON.decode(
            TrackerEntryReply.self, from: Array("{\"t\":\(reply)}".utf8))
        #expect(answer.nonce == "n")
        return TrackerEntry(configuration, answer, deviceID: "d")
    }

    @Test("Where trackers are counted the count says it, whatever else has the device's id")
    func counted() throws {
        let notify = ",\"entities\":{\"d\":{\"disabled\":false}}"
        #expect(try entry(notify, "[\"n\",\"e\",0]") == .deleted(configEntry: "e"))
        #expect(try entry(notify, "[\"n\",\"e\",1]") == .present)
        #expect(try entry(",\"entities\":{}", "[\"n\",\"e\",1]") == .present)
    }

    @Test("Elsewhere the list of entities says it")
    func listed() throws {
        let disabled = ",\"entities\":{\"d\":{\"disabled\":true}}"
        #expect(try entry(disabled, "[\"n\",\"e\"]") == .present)
        #expect(try entry(",\"entities\":{}", "[\"n\",\"e\"]") == .deleted(configEntry: "e"))
        #expect(try entry(",\"entities\":{}", "[\"n\"]") == .deleted(configEntry: nil))
        #expect(try entry("", "[\"n\"]") == .present)
    }

    @Test("A complaint about the template is no answer")
    func complaint() {
        let complaint = Array("{\"t\":{\"error\":\"TemplateError\"}}".utf8)
        #expect(throws: (any Error).self) {
            try JSON.decode(TrackerEntryReply.self, from: complaint)
        }
    }

    @Test("Ids and names travel as variables, so that no name is a part of the template")
    func variables() throws {
        let question = TrackerEntry.question(nonce: "n", deviceID: "x'y", deviceName: "{{x}}")
        guard case .renderTemplate(let templates) = question, let template = templates["t"] else {
            Issue.record("another question")
            return
        }
        #expect(!template.template.contains("{{x}}") && !template.template.contains("x'y"))
        #expect(template.variables["name"] == .string("{{x}}"))
    }
}
