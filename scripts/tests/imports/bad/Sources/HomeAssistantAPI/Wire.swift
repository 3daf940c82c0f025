internal import Dispatch
import struct Glibc.timespec
