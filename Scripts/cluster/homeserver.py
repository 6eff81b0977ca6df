"""`Scripts/synapse` as a module: the environment, the settings and the start of a Synapse."""

import importlib.machinery
import importlib.util
import pathlib

_path = pathlib.Path(__file__).resolve().parent.parent / "synapse"
_loader = importlib.machinery.SourceFileLoader("synapse", str(_path))
synapse = importlib.util.module_from_spec(importlib.util.spec_from_loader("synapse", _loader))
_loader.exec_module(synapse)
