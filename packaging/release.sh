# shellcheck shell=bash disable=SC2034
# What every package needs: where riffle is published, the version, and the time of the commit as the time of all files. Sourced.
# Set it before the first release, as in https://example.org/riffle. Until then riffle is not published.
address=
version=$(sed -n 's/^#define RIFFLE_VERSION_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\)$/\2/p' include/riffle/version.hpp | paste -sd.)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
