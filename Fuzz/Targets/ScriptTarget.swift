internal import HomeAssistantAPI
internal import HomingJSON
internal import HomingSensors

@testable internal import HomingAgent
@testable internal import HomingSensors

/// A script's output: what is taken of it are sensors that Home Assistant can hold.
final class ScriptTarget: FuzzTarget {
    static let name = "script"
    static let longest = 8192

    private static let script = "fuzz"

    func run(_ input: [UInt8]) throws {
        guard let output = try? ScriptOutput(input, of: Self.script) else { return }
        require((10...86_400).contains(output.interval ?? 10), "it runs too often or never")
        require((1...60).contains(output.timeout ?? 1), "it may run too long")
        require(output.readings.count <= 50, "too many sensors")
        let ids = output.readings.map(\.sensor.uniqueID)
        require(Set(ids).count == ids.count, "a sensor twice")
        for reading in output.readings { check(reading) }
    }

    private func check(_ reading: SensorReading) {
        let sensor = reading.sensor
        require(sensor.uniqueID.hasPrefix("script_\(Self.script)_"), "another script's sensor")
        require(sensor.problem == nil, "\(sensor.uniqueID): a sensor that Home Assistant drops")
        let length =
            if case .text(let text) = reading.state { text.unicodeScalars.count } else { 0 }
        require(length <= (faultIsPlanted ? 0 : 255), "a state of \(length) characters")
        let item = SensorRegistration(reading).json().flatMap {
            SensorRegistration.update(from: $0)
        }.flatMap { JSONValue(json: $0.utf8) }
        require(item?["unique_id"] == .string(sensor.uniqueID), "an update of another sensor")
        require(item?["state"] != nil, "an update without a state")
    }
}
