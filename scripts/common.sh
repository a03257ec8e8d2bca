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
    if tls_is_precompiled; then set -- -Xcxx -include-pch -Xcxx "$PWD/$tls/headers.pch" "$@"; fi
    swift_build -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 \
        -Xswiftc -disable-batch-mode -Xswiftc -no-emit-module-separately-wmo -debug-info-format none "$@"
}

# The collector's TLS comes with BoringSSL: nearly 300 C++ files, each of which mostly reads the same headers. They were
# the largest part of a build. With one precompiled file of these headers they need a fifth of the processor time. SwiftPM
# has no setting for this, and the flag reaches every C++ file of a build: beside BoringSSL's there is one, of this package.
tls=.build/tls
tls_sources=.build/checkouts/swift-nio-ssl/Sources/CNIOBoringSSL

# Compiles C++ as SwiftPM does: clang refuses a precompiled file that other options made.
compile_cxx() {
    target=$(swiftc -print-target-info 2>/dev/null) || return 1
    triple=$(echo "$target" | sed -n 's/.*"triple": "\(.*\)".*/\1/p')
    toolchain=$(echo "$target" | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin|p')
    "$toolchain/clang" -target "$triple" -std=c++17 -O0 -g0 -fPIC -fblocks -fno-omit-frame-pointer -w "$@"
}

# Another clang, or a header that has changed since, makes the precompiled file useless.
tls_is_precompiled() {
    [ -e "$tls/headers.pch" ] && [ -z "${CC:-}" ] &&
        compile_cxx -fsyntax-only -include-pch "$tls/headers.pch" -x c++ /dev/null 2>/dev/null
}

# Precompiles the headers, and compiles BoringSSL with them to see whether it can. For scripts that build the collector.
precompile_tls() {
    [ "$(uname -s)" = Linux ] && [ -z "${CC:-}" ] && [ ! -e "$tls/useless" ] && command -v swiftc >/dev/null || return 0
    if [ -e "$tls/checked" ] && tls_is_precompiled; then return; fi
    mkdir -p "$tls"
    rm -f "$tls/checked" "$tls/headers.pch"
    [ -d "$tls_sources" ] || swift package resolve >&2
    {
        echo '#include <CNIOBoringSSL.h>'
        for folder in ssl crypto/evp crypto/x509; do echo "#include \"$folder/internal.h\""; done
    } >"$tls/headers.h"
    if compile_cxx -fpch-instantiate-templates -I "$tls_sources/include" -I "$tls_sources" \
        -x c++-header "$tls/headers.h" -o "$tls/headers.pch" 2>/dev/null &&
        build_debug --target CNIOBoringSSL >&2 && tls_names_are_prefixed; then
        touch "$tls/checked"
    else
        rm -f "$tls/headers.pch"
        touch "$tls/useless"
        say "cannot precompile the headers of BoringSSL: compiles it without"
    fi
}

# BoringSSL's functions have a prefix in their names, because librdkafka brings OpenSSL, with functions of the same names.
# Clang does not keep in a precompiled file that a function of a header outside it shall have the prefix.
tls_names_are_prefixed() {
    sed -n 's/^#pragma redefine_extname \([^ ]*\) .*/\1/p' \
        "$tls_sources/include/CNIOBoringSSL_prefix_symbols.h" >"$tls/names"
    find "$(swift build --show-bin-path)/CNIOBoringSSL.build" -name '*.o' \
        -exec "$toolchain/llvm-nm" --format=posix {} + 2>/dev/null | cut -d' ' -f1 >"$tls/symbols"
    [ -s "$tls/names" ] && [ -s "$tls/symbols" ] && ! grep -qxF -f "$tls/names" "$tls/symbols"
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
