# The other scripts source this file after `set -eu`. POSIX sh.
# shellcheck shell=sh

cd "$(dirname "$0")/.." || exit
script="scripts/$(basename "$0")"
started_at=$(date +%s)
# See Package.swift. All scripts share one build.
export FLOW_FUNNELS_OPTIMIZED=1

# SwiftPM passes the names of the traits to the compiler in the order of a set, which depends on the seed of hashes. With a
# random seed, half of the builds have another order and compile this package and Hummingbird again.
swift_build() {
    SWIFT_DETERMINISTIC_HASHING=1 swift build "$@"
}

# The debug build that the scripts share. Each of the compiler's jobs reads all that its files import. One job for a whole
# module needs 37 percent less processor time in a build from nothing, but an edit compiles its whole module. The compiler
# remarks of each module that this is not incremental; no option silences it. Without the information for a debugger a
# build takes a tenth less; a plain `swift build` has it.
build_debug() {
    swift_build -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 \
        -Xswiftc -disable-batch-mode -Xswiftc -no-emit-module-separately-wmo -debug-info-format none "$@"
}

# SwiftPM keeps its caches in HOME, which is not set in some containers and services.
if [ -z "${HOME:-}" ]; then
    HOME=$(getent passwd "$(id -u)" 2>/dev/null | cut -d: -f6)
    export HOME="${HOME:-/tmp}"
fi

# Homebrew does not put these two on the default search paths, because macOS has parts of them.
if [ "$(uname -s)" = Darwin ] && command -v brew >/dev/null; then
    homebrew=$(brew --prefix)
    PKG_CONFIG_PATH="$homebrew/opt/libpq/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
    PATH="$PATH:$homebrew/opt/postgresql@17/bin"
    export PKG_CONFIG_PATH PATH
fi

say() {
    printf '%s: %s\n' "$script" "$*" >&2
}

die() {
    say "$*"
    exit 1
}

# Prints the comment at the head of the script as its help, if the first argument asks for it.
help_if_asked() {
    case "${1:-}" in
    -h | --help)
        sed -n '2,${/^#/!q;s/^# \{0,1\}//p;}' "$0"
        exit 0
        ;;
    esac
}

# Prints at the end of the script whether it succeeded and how long it took.
report_time() {
    trap 'say_time $?' EXIT
}

say_time() {
    seconds=$(($(date +%s) - started_at))
    outcome="failed with exit code $1"
    if [ "$1" -eq 0 ]; then outcome=finished; fi
    say "$outcome after $((seconds / 60)) min $((seconds % 60)) s"
    exit "$1"
}

require_swift() {
    command -v swift >/dev/null ||
        die "Swift is missing. Install 6.2 or newer from https://www.swift.org/install/ and run this script again."
}

# Builds products for release. SwiftPM takes one --product at a time, and a build of everything includes the helpers of
# the tests. On Linux Swift's libraries are linked statically: a short command would spend most of its time loading them.
# A program that uses URLSession cannot be linked so, because the static libraries do not include curl: the demo.
build_release() {
    case $(uname) in
    Linux) static=--static-swift-stdlib ;;
    *) static= ;;
    esac
    for product in "$@"; do
        swift_build --configuration release $static --product "$product" >&2
    done
}

swift_folders() {
    for folder in Sources Tests Benchmarks Examples; do
        if [ -d "$folder" ]; then echo "$folder"; fi
    done
}
