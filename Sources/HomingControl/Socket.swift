/// Commands and errors of the control socket are types of the socket, which is re-exported.
@_exported public import HomingSocket
