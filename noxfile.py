"""Sessions that need environments of their own; the everyday ones are in the Makefile."""

import nox

nox.options.default_venv_backend = "venv"
nox.options.sessions = ["tests"]


@nox.session(python=["3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Run the test suite on every supported Python version."""
    session.install("--editable", ".[dev]")
    session.run("pytest", "-p", "no:benchmark", "-n", "auto", "--dist", "worksteal", *session.posargs)


@nox.session
def uncompiled(session: nox.Session) -> None:
    """Run the kernel tests interpreted, then compiled with bounds checks."""
    session.install("--editable", ".[dev]")
    for switch in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"):
        env = {switch: "1", "NUMBA_CACHE_DIR": f"{session.create_tmp()}/{switch}"}
        session.run("pytest", "-m", "uncompiled", "-p", "no:benchmark", *session.posargs, env=env)


@nox.session
def hashseeds(session: nox.Session) -> None:
    """Run the test suite under several hash seeds: no answer may depend on them."""
    session.install("--editable", ".[dev]")
    for seed in ("0", "1", "4711"):
        session.run(
            "pytest", "-p", "no:benchmark", "-n", "auto", *session.posargs, env={"PYTHONHASHSEED": seed}
        )


@nox.session
def breaking(session: nox.Session) -> None:
    """Compare the protocol buffers with those of the branch main, or of the given git reference."""
    session.install("buf-bin")
    reference = session.posargs[0] if session.posargs else "main"
    session.run("buf", "breaking", "--against", f".git#ref={reference}")
