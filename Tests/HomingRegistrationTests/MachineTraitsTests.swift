import HomeAssistantAPI
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingRegistration

@Suite("What a machine is known by")
struct MachineTraitsTests {
    private static let interface = "sys/class/net"
    private static let ethernet = [
        "\(interface)/eth0/address": "B8:27:EB:00:00:01\n",
        "\(interface)/eth0/addr_assign_type": "0\n",
        "\(interface)/eth0/device/modalias": "of:NethernetT(null)Cbrcm,bcm2711-genet-v5\n",
    ]

    private func traits(_ files: [String: String]) throws -> MachineTraits {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return withExtendedLifetime(folder) { .read(HostFiles(root: folder.path)) }
    }

    @Test("A board, a laptop, and a board's copy for the daemon are known by their numbers")
    func numbers() throws {
        let board = try traits(["proc/device-tree/serial-number": "10000000abcdef01\0"])
        let uuid = "4C4C4544-0042-3510-8052-B4C04F4D4E32"
        let laptop = try traits(["sys/class/dmi/id/product_uuid": uuid + "\n"])
        let daemon = try traits(["run/homing.board": uuid.lowercased() + "\n"])
        #expect(board.hardware.count == 1 && laptop.hardware.count == 1)
        #expect(board.hardware != laptop.hardware && laptop == daemon)
        #expect(try traits(Self.ethernet).hardware.count == 1)
    }

    @Test(
        "A container has the hardware of no host",
        arguments: ["run/systemd/container", "run/.containerenv", ".dockerenv"])
    func container(name: String) throws {
        let files = Self.ethernet.merging([
            "run/homing.board": "4c4c4544-0042-3510-8052-b4c04f4d4e32\n", name: "",
        ]) { $1 }
        #expect(try traits(files).isEmpty)
    }

    @Test("Each trait is a fingerprint of one length, whatever it is made of")
    func secret() throws {
        let found = try traits(Self.ethernet.merging(["etc/machine-id": "0123\n"]) { $1 })
        let fingerprints = found.hardware + [found.system ?? ""]
        #expect(fingerprints.count == 2)
        let hashes = fingerprints.map { $0.drop { $0 != "-" }.dropFirst() }
        #expect(hashes.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test(
        "USB adapters, addresses of software, bridges, and boards without a number tell nothing",
        arguments: [
            ["sys/class/net/eth0/device/modalias": "usb:v0BDAp8153\n"],
            ["sys/class/net/eth0/addr_assign_type": "3\n"],
            ["sys/class/net/eth0/device/modalias": ""],
            ["sys/class/net/eth0/address": "00:00:00:00:00:00\n"],
        ])
    func nothing(changed: [String: String]) throws {
        #expect(try traits(Self.ethernet.merging(changed) { $1 }).isEmpty)
        for address in ["ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01", "02:00", "02:0:0:0:0:0:0:0", "x"]
        {
            let files = Self.ethernet.merging(["sys/class/net/eth0/address": address]) { $1 }
            #expect(try traits(files).isEmpty, "\(address)")
        }
        let removable = ["sys/class/net/eth0/device/removable": "removable\n"]
        #expect(try traits(Self.ethernet.merging(removable) { $1 }).isEmpty)
        let blank = [
            "Not Specified", "To be filled by O.E.M.", String(repeating: "a", count: 65_536),
        ]
        for number in blank {
            #expect(try traits(["sys/class/dmi/id/product_uuid": number]).isEmpty, "\(number)")
        }
        for number in [
            "03000200-0400-0500-0006-000700080009", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        ] {
            #expect(try traits(["sys/class/dmi/id/product_uuid": number]).isEmpty)
        }
    }
}
