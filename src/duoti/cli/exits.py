"""Exit codes, and errors that end a command in words instead of a traceback."""

from __future__ import annotations

import functools
import json
import sys
import traceback
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import typer

OK, MODEL_WRONG, WRONG_USAGE, RUN_FAILED, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 70, 130

EXIT_CODES = (
    "Exit codes: 0 all is well, 1 the model or file is wrong, 2 wrong usage, 3 the run failed, 70 an error in duoti "
    "itself, 130 interrupted."
)

Command = TypeVar("Command", bound=Callable[..., Any])

# what typer itself turns into a message: it has a click of its own in newer versions
_USAGE: type[Exception] = next(cls for cls in typer.BadParameter.__mro__ if cls.__name__ == "ClickException")


def guarded(command: Command) -> Command:
    """Let a command end with a message and an exit code whatever happens in it.

    Options `as_json` and `verbose` of the command decide whether the message is JSON on stdout, and whether an
    unexpected error shows its traceback.
    """

    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        try:
            return command(*args, **options)
        except (typer.Exit, typer.Abort, _USAGE, BrokenPipeError):
            raise  # typer knows what to do with them
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except Exception as error:
            _end(error, bool(options.get("as_json")), bool(options.get("verbose")))

    return run  # pyright: ignore[reportReturnType]


def _end(error: Exception, as_json: bool, verbose: bool) -> NoReturn:
    from duoti.model.errors import ChannelError, DuotiError, MissingPackageError, ModelError
    from duoti.results.errors import ResultFileError

    if isinstance(error, ModelError):
        if as_json:
            print_json({"ok": False, **report_data(error.report)})
        else:
            typer.echo(str(error), err=True)
        raise typer.Exit(MODEL_WRONG) from None
    known = isinstance(error, DuotiError | OSError | MissingPackageError | NotImplementedError)  # the last: refusals
    code = MODEL_WRONG if isinstance(error, ResultFileError) else WRONG_USAGE if known else INTERNAL
    if isinstance(error, DuotiError | NotImplementedError) and not isinstance(error, ResultFileError | ChannelError):
        code = MODEL_WRONG
    text = str(error) if known else _unexpected(error, verbose)
    if as_json:
        print_json({"ok": False, "error": text})
    else:
        typer.echo(text if not known else f"Error: {text}", err=True)
    raise typer.Exit(code) from None


def _unexpected(error: Exception, verbose: bool) -> str:
    if verbose:
        traceback.print_exception(error)
    what = f"Error in duoti itself: {type(error).__name__}: {error}"
    return what if verbose else f"{what}\n  --verbose shows where; please report it with the file that caused it"


def wrong(text: str, option: str | None = None) -> typer.BadParameter:
    """What to raise for wrong usage; `option` is the name of the option or argument."""
    return typer.BadParameter(text, param_hint=option)


def print_json(data: Any) -> None:
    """Data for programs, on stdout; numbers that are not finite become null."""
    typer.echo(json.dumps(_finite(data), ensure_ascii=False, indent=None if not sys.stdout.isatty() else 2))


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    if isinstance(data, float) and (data != data or data in (float("inf"), float("-inf"))):
        return None
    return data


def report_data(report: Any) -> dict[str, Any]:
    """A report of findings as plain data."""
    return {
        "model": report.model,
        "errors": len(report.errors),
        "warnings": len(report.warnings),
        "findings": [
            {
                "severity": f.severity, "code": f.code, "element": f.element._asdict() if f.element else None,
                "key": f.key or None, "names": list(f.names), "what": f.what, "why": f.why, "remedy": f.remedy,
                "file": f.place.file if f.place else None,
                "line": (f.place.line or None) if f.place else None,
            }
            for f in report.findings
        ],
    }  # fmt: skip
