/// Rules of Home Assistant for device classes, as far as the rules bear on what is sent.
///
/// From the tables of `homeassistant/components/{sensor,binary_sensor}`, 2024.3: what is valid there
/// is valid later. A registration with a class it does not know is dropped silently, and a state that
/// does not fit breaks the entity, so both are refused here.
public enum DeviceClass {
    /// Units of the sensors' device classes; an empty list is a class that has none.
    static let units: [String: [String]] = [
        "apparent_power": ["VA"],
        "aqi": [],
        "atmospheric_pressure": pressures,
        "battery": ["%"],
        "carbon_dioxide": ["ppm"],
        "carbon_monoxide": ["ppm"],
        "current": ["A", "mA"],
        "data_rate": [
            "bit/s", "kbit/s", "Mbit/s", "Gbit/s", "B/s", "kB/s", "MB/s", "GB/s", "KiB/s", "MiB/s",
            "GiB/s",
        ],
        "data_size": [
            "bit", "kbit", "Mbit", "Gbit", "B", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB",
            "TiB", "PiB",
        ],
        "date": [],
        "distance": ["mm", "cm", "m", "km", "in", "ft", "yd", "mi"],
        "duration": ["ms", "s", "min", "h", "d"],
        "energy": energies,
        "energy_storage": energies,
        "enum": [],
        "frequency": ["Hz", "kHz", "MHz", "GHz"],
        "gas": ["m³", "ft³", "CCF"],
        "humidity": ["%"],
        "illuminance": ["lx"],
        "irradiance": ["W/m²", "BTU/(h⋅ft²)"],
        "moisture": ["%"],
        "nitrogen_dioxide": ["µg/m³"],
        "nitrogen_monoxide": ["µg/m³"],
        "nitrous_oxide": ["µg/m³"],
        "ozone": ["µg/m³"],
        "ph": [],
        "pm1": ["µg/m³"],
        "pm10": ["µg/m³"],
        "pm25": ["µg/m³"],
        "power": ["W", "kW"],
        "power_factor": ["%"],
        "precipitation": ["mm", "cm", "in"],
        "precipitation_intensity": ["mm/d", "mm/h", "in/d", "in/h"],
        "pressure": pressures,
        "reactive_power": ["var"],
        "signal_strength": ["dB", "dBm"],
        "sound_pressure": ["dB", "dBA"],
        "speed": ["m/s", "km/h", "kn", "mph", "ft/s", "mm/d", "mm/h", "in/d", "in/h"],
        "sulphur_dioxide": ["µg/m³"],
        "temperature": ["°C", "°F", "K"],
        "timestamp": [],
        "volatile_organic_compounds": ["µg/m³"],
        "volatile_organic_compounds_parts": ["ppm", "ppb"],
        "voltage": ["V", "mV"],
        "volume": ["L", "mL", "m³", "ft³", "gal", "fl. oz.", "CCF"],
        "volume_flow_rate": ["m³/h", "ft³/min", "L/min", "gal/min"],
        "volume_storage": ["L", "mL", "m³", "ft³", "gal", "fl. oz.", "CCF"],
        "water": ["L", "m³", "ft³", "gal", "CCF"],
        "weight": ["g", "kg", "mg", "µg", "oz", "lb", "st"],
        "wind_speed": ["m/s", "km/h", "kn", "mph", "ft/s"],
    ]

    private static let pressures = [
        "Pa", "hPa", "kPa", "bar", "cbar", "mbar", "mmHg", "inHg", "psi",
    ]
    private static let energies = ["Wh", "kWh", "MWh", "MJ", "GJ"]

    /// Classes that say what they have to without a unit.
    private static let unitIsOptional: Set<String> = ["power_factor"]
    /// Classes whose states are no numbers, and which have no statistics.
    static let textual: Set<String> = ["date", "enum", "timestamp"]

    static let binary: Set<String> = [
        "battery", "battery_charging", "carbon_monoxide", "cold", "connectivity", "door",
        "garage_door", "gas", "heat", "light", "lock", "moisture", "motion", "moving", "occupancy",
        "opening", "plug", "power", "presence", "problem", "running", "safety", "smoke", "sound",
        "tamper", "update", "vibration", "window",
    ]

    /// Returns why a unit does not go with a class of sensors, in words that follow
    /// `unit_of_measurement`; `nil` if the unit does.
    static func refusal(ofUnit unit: String?, in deviceClass: String) -> String? {
        guard let allowed = units[deviceClass] else { return nil }
        guard let unit else {
            guard !allowed.isEmpty, !unitIsOptional.contains(deviceClass) else { return nil }
            return "is missing: \(deviceClass) has \(allowed.joined(separator: ", "))"
        }
        if allowed.isEmpty { return "\"\(unit)\" is one too many: \(deviceClass) has no unit" }
        guard !allowed.contains(unit) else { return nil }
        return "\"\(unit)\" is not a unit of \(deviceClass): \(allowed.joined(separator: ", "))"
    }
}
