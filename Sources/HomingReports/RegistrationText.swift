public import HomingControl

/// A registration as people read it.
public struct RegistrationText {
    let report: RegistrationReport

    public init(report: RegistrationReport) { self.report = report }

    /// Lines; the last without its end.
    public var text: String {
        TextTable.text(rows.compactMap { label, value in value.map { [label, $0] } })
    }

    private var rows: [(String, String?)] {
        [
            ("Device", report.deviceName), ("Identity", report.deviceID),
            ("Home Assistant", report.instanceURL),
            ("Cloud", cloud),
            ("Messages", report.encrypted ? "sealed" : "NOT sealed: homing registration encrypt"),
            (
                "Home networks",
                report.homeNetworks.isEmpty ? "none" : report.homeNetworks.joined(separator: ", ")
            ),
            ("Told", told),
        ]
    }

    private var cloud: String? {
        let ways = [report.cloudhook ? "cloudhook" : nil, report.remoteUI ? "remote UI" : nil]
            .compactMap { $0 }
        return ways.isEmpty ? nil : ways.joined(separator: ", ")
    }

    private var told: String? {
        report.told.map {
            let hardware = Self.hardware($0.manufacturer, $0.model)
            return "Homing \($0.appVersion) on \(hardware), system \($0.osVersion)"
        }
    }

    /// Maker and model, once where they are the same.
    private static func hardware(_ manufacturer: String, _ model: String) -> String {
        model.hasPrefix(manufacturer) ? model : "\(manufacturer) \(model)"
    }
}
