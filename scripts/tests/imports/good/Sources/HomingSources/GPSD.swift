internal import CGPS
internal import Glibc
