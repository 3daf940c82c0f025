public import HomingControl

/// A registration as people read it.
extension RegistrationReport {
    /// Lines; the last without its end.
    public var text: String {
        TextTable.text(labelled: [
            ("Device", deviceName), ("Identity", deviceID),
            ("Home Assistant", instanceURL),
            ("Cloud", cloud),
            ("Messages", encrypted ? "encrypted" : Self.unsealed.namingHome()),
            (
                "Home networks",
                homeNetworks.isEmpty ? "none" : homeNetworks.joined(separator: ", ")
            ),
            ("Description", machine),
            ("Machine", standingText),
        ])
    }

    private static let unsealed = "NOT encrypted: homing registration encrypt"

    private var cloud: String? {
        let endpoints = [cloudhook ? "cloudhook" : nil, remoteUI ? "remote UI" : nil]
            .compactMap { $0 }
        return endpoints.isEmpty ? nil : endpoints.joined(separator: ", ")
    }

    /// `nil` of this machine's own registration.
    private var standingText: String? {
        switch standing {
        case .own, nil: nil
        case .moved: "another machine was registered: nothing is sent"
        case .copied: "a copy of an image: registers by itself"
        }
    }

    private var machine: String? {
        told.map {
            let hardware = Self.hardware($0.manufacturer, $0.model)
            return "Homing \($0.appVersion) on \(hardware), system \($0.osVersion)"
        }
    }

    /// Maker and model, once where they are the same.
    private static func hardware(_ manufacturer: String, _ model: String) -> String {
        model.hasPrefix(manufacturer) ? model : "\(manufacturer) \(model)"
    }
}
