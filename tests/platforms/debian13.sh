# Debian 13, in a chroot.
debian_chroot trixie
