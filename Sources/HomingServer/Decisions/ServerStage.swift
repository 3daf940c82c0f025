/// The stage in which a connection waits. Each stage has a time limit.
enum ServerStage: Int, CaseIterable {
    /// The rest of a request's head, or the first one.
    case head
    /// The rest of a body.
    case body
    /// The program's answer.
    case answer
    /// The client, who is to read the answer.
    case sending
    /// The next request.
    case idle
    /// A sign of life from the client of a WebSocket.
    case silence
    /// The client of a WebSocket, who is to close it too.
    case goodbye
}

extension ServerLimits {
    /// The longest wait of a kind, in seconds.
    func time(of stage: ServerStage) -> Double {
        switch stage {
        case .head: headTime
        case .body: bodyTime
        case .answer: answerTime
        case .sending: sendTime
        case .idle: idle
        case .silence: silence
        case .goodbye: goodbyeTime
        }
    }
}
