"""The types of what the API answers, for annotations: `from meadow.types import Solution`."""

from ._generated.types import *  # noqa: F403
