internal import HomingMachine
internal import HomingPush

extension RelayAttention.Looks {
    /// Chooses how often to look at the relay while data is saved.
    init(_ thrift: Thrift) {
        self = thrift.isQuiet ? .never : thrift.isSpent ? .daily : .stretched(thrift.factor)
    }
}
