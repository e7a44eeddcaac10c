#!/bin/sh
# Installs Signet @VERSION@ for the user who runs it, without root: the executable file, into ~/.local/bin.
#   sh install.sh [--to FOLDER] [--from FOLDER]
# --to says where to put it. --from takes the archive from a folder instead of the network.
# The hash of each archive is part of this script. An archive with another one is never opened.
set -eu

VERSION=@VERSION@
DOWNLOADS=@DOWNLOADS@

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

hash_of() {
  case $1 in
    linux-x64) echo @SHA256_LINUX_X64@ ;;
    linux-arm64) echo @SHA256_LINUX_ARM64@ ;;
    darwin-x64) echo @SHA256_DARWIN_X64@ ;;
    darwin-arm64) echo @SHA256_DARWIN_ARM64@ ;;
    *) fail "there is no executable of Signet $VERSION for $1" ;;
  esac
}

platform() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "there is no executable of Signet for $(uname -s)" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "there is no executable of Signet for $(uname -m)" ;;
  esac
  echo "$system-$machine"
}

download() {
  if command -v curl >/dev/null 2>&1; then
    curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --output "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget --https-only --quiet --output-document "$2" "$1"
  else
    fail "neither curl nor wget is installed"
  fi
}

hash_file() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  else
    shasum -a 256 "$1" | cut -d ' ' -f 1
  fi
}

# A script that is cut on its way does nothing: everything is called in the last line.
install() {
  to=${HOME:?}/.local/bin
  from=
  while [ $# -gt 0 ]; do
    case $1 in
      --to) to=${2:?--to needs a folder} && shift 2 ;;
      --from) from=${2:?--from needs a folder} && shift 2 ;;
      *) fail "$1 is no option. The options are --to and --from." ;;
    esac
  done
  platform=$(platform)
  expected=$(hash_of "$platform")
  [ -n "$expected" ] || exit 1
  archive=signet-$VERSION-$platform.tar.gz
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  if [ -n "$from" ]; then
    cp "$from/$archive" "$folder/$archive"
  else
    download "$DOWNLOADS/$archive" "$folder/$archive" || fail "$DOWNLOADS/$archive cannot be downloaded"
  fi
  found=$(hash_file "$folder/$archive")
  [ "$found" = "$expected" ] || fail "$archive has the SHA-256 $found instead of $expected: nothing was installed"
  mkdir -p "$to"
  # One file by its name, into a file that we named: no name in the archive decides where something is written.
  tar -xzOf "$folder/$archive" signet >"$to/.signet-new"
  chmod 755 "$to/.signet-new"
  mv "$to/.signet-new" "$to/signet"
  echo "Signet $VERSION is installed: $to/signet"
  case ":$PATH:" in
    *":$to:"*) echo "Start it: signet start" ;;
    *) echo "Start it: $to/signet start" ;;
  esac
}

install "$@"
