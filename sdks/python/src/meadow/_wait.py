"""Waiting for a solve."""

from __future__ import annotations

import math
from typing import Optional

from ._core import Core
from ._errors import TimedOut
from ._generated.endpoints import READ_SOLUTION
from ._generated.errors import Solving
from ._generated.types import Solution
from ._http import Deadline

WAIT_SECONDS = 30.0
"""What the service waits for at most."""
ANSWER_SECONDS = 90.0
"""What is left for the answer to arrive after that."""


async def wait_for_solution(core: Core, document_id: str, include_geometry: bool, timeout: Optional[float]) -> Solution:
    """The most recent solution, once no solve of the document runs."""
    deadline = Deadline(timeout)
    while True:
        seconds = deadline.within(WAIT_SECONDS)
        try:
            solution: Solution = await core.call(
                READ_SOLUTION,
                {"documentId": document_id},
                {"includeGeometry": include_geometry},
                {"Prefer": f"wait={math.ceil(seconds)}"},
                deadline if timeout is not None else Deadline(seconds + ANSWER_SECONDS),
            )
            return solution
        except Solving as error:
            pause = error.retry_after or 1.0
            if not deadline.allows(pause):
                raise TimedOut(f"The solve did not end within {timeout:g} s.") from error
            await core.backend.sleep(pause)
