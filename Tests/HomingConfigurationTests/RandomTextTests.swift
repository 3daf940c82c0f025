import HomingConfiguration
import HomingSettings
import HomingTestKit
import Testing

struct RandomTextTests {
    @Test("no text, however broken, stops the reader; what it says names a line of the file")
    func randomText() throws {
        let folder = try TemporaryFolder()
        let parts: [String] = [
            "[", "]", "=", "\n", "\r", " ", "\t", ";", "\\", "#", "\"", "\u{0}", "\u{1B}",
            "\u{FEFF}",
            "é", "\u{301}", "[log]\n", "[home_network]\n", "[location]\n", "[home_assistant]\n",
            "level",
            "ssid",
            "max_age", "bssid", "instance_url_away", "http://", "@", ":", "info",
            "99999999999999999999",
        ]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...40)).map { _ in parts.randomElement() ?? "" }
                .joined()
            var bytes = Array(text.utf8)
            if Int.random(in: 0..<10) == 0 { bytes.append(.random(in: 0x80...0xFF)) }
            let path = try folder.write(bytes, to: "agent.conf")
            let lines = bytes.count { $0 == 0x0A } + 1
            guard case .failure(let errors) = Configuration.table.load(path: path, explicit: true)
            else { continue }
            #expect(!errors.diagnostics.isEmpty)
            for diagnostic in errors.diagnostics {
                #expect((1...lines).contains(diagnostic.line ?? 1), "\(text.debugDescription)")
                #expect(
                    !diagnostic.description.utf8.contains { $0 < 0x20 }, "\(text.debugDescription)")
            }
        }
    }
}
