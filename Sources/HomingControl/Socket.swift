/// The messages of the control socket travel as lines of the socket.
@_exported public import HomingSocket
