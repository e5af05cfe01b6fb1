"""The errors that calls raise. Those of a status are in `_generated.py`."""

from __future__ import annotations

from typing import Optional


class MeadowError(Exception):
    """Any failure of a call: catch it to catch them all."""


class ApiError(MeadowError):
    """The service answered with an error. Its subclasses are named after the status."""

    status: int
    """The HTTP status. Branch on it, or on the class, and not on the words."""
    message: str
    """The sentence of the service."""
    request_id: Optional[str]
    """Names the request in the log of the service."""
    url: str
    """The address that was asked, without its query."""
    retry_after: Optional[float]
    """Seconds after which the service asks to try again."""

    is_retryable: bool = False
    """Whether the same request may succeed later: the client repeats it by itself."""
    exit_code: int = 1
    """What the command `meadow` ends with for this error."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        url: str,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(status, message)
        self.status = status
        self.message = message
        self.url = url
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        request = f", request {self.request_id}" if self.request_id else ""
        return f"{self.message} (status {self.status} of {self.url}{request})"

    def __reduce__(self) -> "tuple[object, ...]":
        # Keyword arguments are lost by default: a worker process has to be able to pass the error on.
        return (_restore, (type(self), self.status, self.message, self.url, self.request_id, self.retry_after))


def _restore(
    cls: "type[ApiError]",
    status: int,
    message: str,
    url: str,
    request_id: Optional[str],
    retry_after: Optional[float],
) -> ApiError:
    return cls(status, message, url=url, request_id=request_id, retry_after=retry_after)


class ConnectionFailed(MeadowError, ConnectionError):
    """The service could not be reached, or the connection was lost, also after retries."""

    is_retryable: bool = True
    """Whether the same request may succeed later: not with a certificate that is not trusted."""


class TimedOut(MeadowError, TimeoutError):
    """The call did not end within its `timeout`."""


class BadAnswer(MeadowError):
    """The answer is not what the API promises: the address may be that of something else."""


class OutOfReach(MeadowError):
    """The token is limited to folders, and does not read documents of the state, which may still exist."""

    count: int
    """How many documents."""

    def __init__(self, count: int, example: str) -> None:
        super().__init__(count, example)
        self.count = count

    def __str__(self) -> str:
        count, example = self.args
        which = "a document of the state is" if count == 1 else f"{count} documents of the state are"
        return (
            f"The token is limited to folders, and {which} in none of them, such as {example!r}. "
            "They may still exist: use a token that reads them, or allow a narrower one, to which they are gone."
        )


class FileChanged(BadAnswer):
    """A download is not the file that was asked for: another digest, or the document was edited meanwhile."""
