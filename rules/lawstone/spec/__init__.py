"""Games as they lie on disk: read, checked, and given a meaning under each reading.

`readings` says which changes answers and variants make, `meanings` checks and lowers the file that they leave, `folder` adds the
prose, the sources and the examples beside it, and finds and loads games.
"""

from lawstone.spec.folder import Spec, drawing_faults, find, load
from lawstone.spec.meanings import Size
from lawstone.spec.readings import Answers, Clash, Usage

__all__ = ["Answers", "Clash", "Size", "Spec", "Usage", "drawing_faults", "find", "load"]
