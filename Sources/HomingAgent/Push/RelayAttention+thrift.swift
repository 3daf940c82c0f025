internal import HomingMachine
internal import HomingPush

extension RelayAttention.Looks {
    /// How often the relay is looked at while data is saved.
    init(_ thrift: Thrift) {
        self = thrift.isQuiet ? .never : thrift.isSpent ? .daily : .stretched(thrift.factor)
    }
}
