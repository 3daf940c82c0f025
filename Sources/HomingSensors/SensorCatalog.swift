/// All sensors there are: one line each, in the order of the documentation.
public enum SensorCatalog {
    /// The sensors of what the receiver sees of the sky.
    public static let ofSky = [GPSSensor.used, GPSSensor.seen, GPSSensor.hdop]

    /// Those that tell of the machine, whichever home is told.
    public static let ofMachine: [any MachineSensor.Type] = [
        BatterySensor.self,
        PowerProfileSensor.self,
        NetworkSensor.self,
        WiFiSignalSensor.self,
        IPAddressSensor.self,
        NetworkTrafficSensor.self,
        LoadSensor.self,
        CPUUsageSensor.self,
        CPUTemperatureSensor.self,
        HardwareMonitorSensor.self,
        MemorySensor.self,
        DiskUsageSensor.self,
        DiskTemperatureSensor.self,
        LastRebootSensor.self,
        KernelSensor.self,
        DistributionSensor.self,
        PendingUpdatesSensor.self,
        RebootRequiredSensor.self,
        SessionSensor.self,
        CameraSensor.self,
        SoundSensor.self,
        MediaSensor.self,
        GPSSensor.self,
        DataUseSensor.self,
    ]

    /// Those that tell of a home's own delivery.
    public static let ofHome: [any MachineSensor.Type] = [HomingSensor.self]

    public static let sensors = ofMachine + ofHome

    /// Unique ids of the sensors by which a look-up service finds the place of the machine. A Wi-Fi
    /// connection mostly has the name of its network.
    public static let namingNetworks = [
        NetworkSensor.ssid, NetworkSensor.bssid, NetworkSensor.name,
    ].map(\.uniqueID)

    /// Every description of the catalogue.
    public static var descriptions: [SensorDescription] { sensors.flatMap { $0.descriptions } }
}
