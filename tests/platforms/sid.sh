# Debian sid, in a chroot: the newest compilers and libraries. It changes each day; ./dev clean makes room for a new one.
debian_chroot sid
