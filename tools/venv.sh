#!/bin/sh
# Usage: tools/venv.sh DIR
# Create (or mend) the virtual environment DIR and install the project with its development tools into it.
# PYTHON names the interpreter to use; otherwise the first suitable one on PATH is taken.
set -eu

venv=$1
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)

suitable() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

if ! suitable "$venv/bin/python" || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    found=
    for candidate in ${PYTHON:-python3.13 python3.12 python3.11 python3 python}; do
        if suitable "$candidate"; then
            found=$candidate
            break
        fi
    done
    if [ -z "$found" ]; then
        echo "error: no Python >= 3.11 with the venv module was found (tried: ${PYTHON:-python3.13 python3.12 python3.11 python3 python})." >&2
        echo "Install one, or name it: make PYTHON=/path/to/python3.12" >&2
        exit 1
    fi
    echo "creating $venv with $("$found" --version)"
    "$found" -m venv --clear "$venv"
fi

echo "installing trunkline and its development tools into $venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$root[dev]"
