internal import HomingPush
internal import HomingRegistration

extension PushChannel.Entry {
    /// What there is to open the channel with.
    init(_ outcome: Result<String, RegistrationFailure>) {
        switch outcome {
        case .success(let token): self = .token(token)
        case .failure(.unauthorized), .failure(.forbidden):
            self = .unauthorized("Home Assistant refuses the refresh token")
        case .failure(let failure): self = .refused(failure.message)
        }
    }
}
