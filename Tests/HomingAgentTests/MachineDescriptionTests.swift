import HomeAssistantAPI
import HomingRegistration
import HomingRuntime
import HomingTestKit
import Testing

/// Description of the machine that Home Assistant is told.
@Suite struct MachineDescriptionTests {
    private func description(_ files: [String: String]) throws -> String {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return withExtendedLifetime(folder) {
            let read = MachineDescription.read(HostFiles(root: folder.path), name: "van")
            return "\(read.manufacturer): \(read.model)"
        }
    }

    @Test("A machine that does not say what it is, is a Linux")
    func withoutHardware() throws {
        #expect(try description([:]) == "Linux: Linux")
        let blank = [
            "sys/class/dmi/id/sys_vendor": "To Be Filled By O.E.M.\n",
            "sys/class/dmi/id/product_name": "System Product Name\n",
        ]
        #expect(try description(blank) == "Linux: Linux")
    }

    @Test("A machine with DMI, and a board, say what they are")
    func withHardware() throws {
        let laptop = [
            "sys/class/dmi/id/sys_vendor": "LENOVO\n", "sys/class/dmi/id/product_name": "20XW\n",
        ]
        #expect(try description(laptop) == "LENOVO: 20XW")
        let board = ["proc/device-tree/model": "Raspberry Pi 4 Model B"]
        #expect(try description(board) == "Raspberry Pi Ltd: Raspberry Pi 4 Model B")
    }

    @Test("A name for people names the machine, unless no device can have the name")
    func prettyName() throws {
        let folder = try TemporaryFolder()
        func name(_ pretty: String) throws -> String {
            try folder.write("PRETTY_HOSTNAME=\"\(pretty)\"\n", to: "etc/machine-info")
            return MachineDescription.read(HostFiles(root: folder.path)).name
        }
        #expect(try name("Anna's boat") == "Anna's boat")
        let host = try name("")
        #expect(!host.isEmpty && host != "Anna's boat")
        for unusable in ["  ", "van\u{200F}", String(repeating: "v", count: 256)] {
            #expect(try name(unusable) == host, "\(unusable)")
        }
    }

    @Test("A machine is one device always, and for each further home a device of its own")
    func identity() throws {
        let folder = try TemporaryFolder()
        try folder.write("0123456789abcdef0123456789abcdef\n", to: "etc/machine-id")
        func id(_ home: String?, kept: String? = nil) -> String {
            MachineDescription.read(
                HostFiles(root: folder.path), name: "van", id: kept, home: home
            ).id
        }
        let ids = [id(nil), id("00112233aabbccdd"), id("ddccbbaa33221100")]
        #expect(Set(ids).count == 3 && ids.allSatisfy { $0.count == 32 })
        #expect(ids == [id(nil), id("00112233aabbccdd"), id("ddccbbaa33221100")])
        #expect(id("00112233aabbccdd", kept: "kept") == "kept")
    }
}
