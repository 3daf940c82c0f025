import HomingJSON
import HomingSocket

/// Request to a program of its own: a lamp, with nothing of the companion's.
enum Lamp: Verb, Equatable {
    case look
    /// Look now and after each change.
    case watch
    case turn(Turn)

    struct Turn: Codable, Equatable {
        var isOn: Bool
    }

    enum Method: String, VerbMethod {
        case look
        case watch
        case turn = "turn_lamp"

        var isForEveryone: Bool { self != .turn }
    }

    static let program = "lampd"
    static let server = "lamp"

    var method: Method {
        switch self {
        case .look: .look
        case .watch: .watch
        case .turn: .turn
        }
    }

    var parameters: (any Encodable)? {
        guard case .turn(let params) = self else { return nil }
        return params
    }

    init(_ method: Method, _ parameters: JSONValue) throws {
        switch method {
        case .look: self = .look
        case .watch: self = .watch
        case .turn: self = .turn(try parameters.decoded(as: Turn.self))
        }
    }
}
