"""Ctrl-C while a name of duoti is imported for the first time: the next import finds nothing half made."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a process sends itself a signal")

PROGRAM = """
import os, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have let a background process ignore it

class Interrupt:
    done = False

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == {where!r} and not Interrupt.done:
            Interrupt.done = True
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000):  # Python calls the handler between two of these
                pass
        return None

import duoti
assert {where!r} not in sys.modules
sys.meta_path.insert(0, Interrupt)
try:
    {first}
except KeyboardInterrupt:
    pass
else:
    raise SystemExit("it was not interrupted")
{first}
m = duoti.Model("m")
print(duoti.formats.to_text(m).splitlines()[0])
"""


@pytest.mark.parametrize("where", ["numpy.linalg", "numpy._core.multiarray", "duoti.formats.yaml.file", "duoti.strict"])
def test_an_interrupted_import_can_be_repeated(where):
    program = PROGRAM.format(where=where, first="from duoti.formats import to_text")
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stderr[-2000:]
    assert found.stdout.startswith("duoti:")
