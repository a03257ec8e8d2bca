# Sourced by the scripts beside it, which have set `-eu`. Plain POSIX sh.
# shellcheck shell=sh

cd "$(dirname "$0")/.." || exit
script="scripts/$(basename "$0")"
started_at=$(date +%s)

# SwiftPM keeps its caches below HOME, which a bare container or a service may not set.
if [ -z "${HOME:-}" ]; then
    HOME=$(getent passwd "$(id -u)" 2>/dev/null | cut -d: -f6)
    export HOME="${HOME:-/tmp}"
fi

# Homebrew keeps these two off the default search paths, because macOS has parts of them.
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

# The comment at the head of a script is its help.
help_if_asked() {
    case "${1:-}" in
    -h | --help)
        sed -n '2,${/^#/!q;s/^# \{0,1\}//p;}' "$0"
        exit 0
        ;;
    esac
}

# Says at the end whether it worked and how long it took.
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
        die "Swift is missing. Install 6.2 or newer from https://www.swift.org/install/ and run this again."
}

# SwiftPM takes one --product at a time; building everything would build the tests' helpers too.
# Swift's own libraries are linked in where that can be had: loading them would be most of a short command's time. It
# cannot be had for what posts with URLSession, which brings no curl along: the demo.
build_release() {
    case $(uname) in
    Linux) static=--static-swift-stdlib ;;
    *) static= ;;
    esac
    for product in "$@"; do
        swift build --configuration release $static --product "$product" >&2
    done
}

swift_folders() {
    for folder in Sources Tests Benchmarks Examples; do
        if [ -d "$folder" ]; then echo "$folder"; fi
    done
}
