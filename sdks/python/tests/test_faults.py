"""Retries, deadlines and connections."""

import asyncio
import gzip
import ssl
import threading
import unittest
from pathlib import Path
from unittest import mock

import meadow
from meadow import AsyncMeadow, Meadow
from world import JSON, PROXY, TEAM, Script, WorldTest, happen

BUSY = (503, {**JSON, "Retry-After": "0"}, {"error": "Busy."})
MANY = (429, {**JSON, "Retry-After": "0"}, {"error": "Many."})
GATEWAY = (502, {"Content-Type": "text/html"}, b"<html>")
SOLVE_FAILED = (502, JSON, {"error": "The solve failed."})


def close(handler):
    """Closes the connection without an answer."""
    handler.close_connection = True


def break_off(handler):
    """Sends half of what it announces."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"team"')
    handler.close_connection = True


class Retries(unittest.TestCase):
    def setUp(self):
        # Pauses are of the policy's choice, which a test of its own checks.
        patch = mock.patch("meadow._core.random.random", return_value=0.0)
        patch.start()
        self.addCleanup(patch.stop)

    def count(self, *answers, **options):
        """How many requests a call makes, and what it ends with."""
        with Script(*answers) as script, Meadow(script.url, "t", **options) as client:
            try:
                outcome = client.read_team()["name"]
            except meadow.MeadowError as error:
                outcome = type(error).__name__
        return len(script.requests), outcome

    def test_what_may_pass_is_repeated(self):
        self.assertEqual(self.count(BUSY, MANY, GATEWAY, break_off, TEAM), (5, "Acme"))

    def test_a_lost_connection_is_repeated(self):
        self.assertEqual(self.count(close, TEAM), (2, "Acme"))

    def test_nothing_else_is_repeated(self):
        for answer, name in [
            (SOLVE_FAILED, "SolveFailed"),
            ((500, JSON, {"error": "Fault."}), "ServiceFault"),
            ((409, JSON, {"error": "Never."}), "NotSolved"),
            ((202, {**JSON, "Retry-After": "0"}, {"error": "Running."}), "Solving"),
        ]:
            with self.subTest(name):
                self.assertEqual(self.count(answer, TEAM), (1, name))

    def test_the_number_of_retries_is_bounded(self):
        self.assertEqual(self.count(BUSY, retries=2), (3, "Unavailable"))
        self.assertEqual(self.count(MANY, retries=0), (1, "TooManyRequests"))

    def test_a_pause_that_the_deadline_does_not_allow_is_not_begun(self):
        later = (503, {**JSON, "Retry-After": "3600"}, {"error": "Later."})
        with Script(later) as script, Meadow(script.url, "t", timeout=60) as client:
            with self.assertRaises(meadow.Unavailable) as caught:
                client.read_team()
        self.assertEqual(caught.exception.retry_after, 3600)
        self.assertEqual(len(script.requests), 1)


class HostileServices(unittest.TestCase):
    def fails(self, answer, error, **options):
        with Script(answer) as script, Meadow(script.url, "t", retries=0, **options) as client:
            with self.assertRaises(error) as caught:
                client.read_team()
        return caught.exception

    def test_a_retry_after_that_is_no_number_is_none(self):
        for text in ["\u00b2", "-5", "1e9", "tomorrow"]:
            error = self.fails((503, {**JSON, "Retry-After": text}, {"error": "Busy."}), meadow.Unavailable)
            self.assertIsNone(error.retry_after, text)
        error = self.fails((503, {**JSON, "Retry-After": "9" * 400}, {"error": "Busy."}), meadow.Unavailable)
        self.assertEqual(error.retry_after, 1e9)

    def test_json_that_is_too_deep_is_a_bad_answer(self):
        self.fails((200, JSON, b'{"team":' + b"[" * 100_000), meadow.BadAnswer)

    def test_an_answer_is_not_decoded_past_a_limit(self):
        bomb = gzip.compress(b'{"team": {}}' + b" " * 10_000_000)
        with mock.patch("meadow._http.MAX_BODY_BYTES", 1_000_000):
            self.fails((200, {**JSON, "Content-Encoding": "gzip"}, bomb), meadow.BadAnswer)
            self.fails((200, JSON, b" " * 2_000_000), meadow.BadAnswer)
        self.fails((200, {**JSON, "Content-Encoding": "gzip"}, bomb[:-9]), meadow.ConnectionFailed)

    def test_a_head_that_drips_ends_with_the_timeout(self):
        stop = threading.Event()
        self.addCleanup(stop.set)

        def drip(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
            handler.close_connection = True
            try:
                while not stop.wait(0.05):
                    handler.wfile.write(b"x")
                    handler.wfile.flush()
            except OSError:
                pass

        self.fails(drip, meadow.TimedOut, timeout=0.5)


class Pauses(unittest.TestCase):
    def test_a_pause_has_full_jitter_after_what_was_asked(self):
        from meadow._core import FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS, pause_before

        for retry, longest in [(0, FIRST_PAUSE_SECONDS), (2, 4 * FIRST_PAUSE_SECONDS), (30, MAX_PAUSE_SECONDS)]:
            pauses = [pause_before(retry, 7) for _ in range(500)]
            self.assertGreaterEqual(min(pauses), 7)
            self.assertLessEqual(max(pauses), 7 + longest)
            self.assertLess(min(pauses), 7 + longest * 0.1)
            self.assertGreater(max(pauses), 7 + longest * 0.9)


class Connections(WorldTest):
    def test_connections_are_kept_and_replaced_when_they_were_closed(self):
        client = self.enter(Meadow(PROXY, retries=0))
        for _ in range(3):
            client.read_team()
            self.assertEqual(idle_connections(client), 1)
        happen("cut")
        # Without retries: a connection that was closed while it was idle is not a failure.
        self.assertEqual(client.read_team()["name"], "Acme")
        client.read_team(), client.request("/team", method="HEAD"), client.request("/documents/nothing")
        self.assertEqual(idle_connections(client), 1)

    def test_a_service_that_refuses_connections_is_named(self):
        client = self.enter(Meadow(PROXY, retries=0))
        happen("refuse")
        self.addCleanup(happen, "resume")
        with self.assertRaisesRegex(meadow.ConnectionFailed, r"^No answer from http://127\.0\.0\.1:\d+: .*refused\.$"):
            client.read_team()

    def test_a_call_to_a_service_that_says_nothing_ends_with_its_timeout(self):
        happen("freeze")
        self.addCleanup(happen, "cut")
        self.addCleanup(happen, "resume")
        for client in (Meadow(PROXY, timeout=0.2), Meadow(PROXY, timeout=60)):
            with self.enter(client), self.assertRaises(meadow.TimedOut):
                client.read_team(timeout=0.2)

    def test_a_service_that_comes_back_is_found(self):
        client = self.enter(Meadow(PROXY, retries=50, timeout=600))
        happen("refuse")
        threading.Timer(0.2, happen, ["resume"]).start()
        self.assertEqual(client.read_team()["name"], "Acme")

    def test_a_host_that_does_not_exist_is_named(self):
        with self.assertRaisesRegex(meadow.ConnectionFailed, "no host of this name"):
            Meadow("http://no-such-host.invalid", "t", retries=0).read_team()

    def test_many_threads_share_a_client(self):
        names = []
        threads = [threading.Thread(target=lambda: names.append(self.meadow.read_team()["name"])) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(names, ["Acme"] * 20)


class Encryption(unittest.TestCase):
    CERTIFICATE = Path(__file__).parent / "localhost.pem"

    def test_a_certificate_has_to_be_trusted(self):
        with Script(TEAM, certificate=self.CERTIFICATE) as script:
            with Meadow(script.url, "t", retries=50, timeout=600) as client:
                with self.assertRaisesRegex(
                    meadow.ConnectionFailed, "certificate of https://127.* is not trusted: .*ssl_context"
                ):
                    client.read_team()
            self.assertEqual(script.requests, [])
            context = ssl.create_default_context(cafile=self.CERTIFICATE)
            with Meadow(script.url, "t", ssl_context=context) as client:
                for _ in range(2):
                    self.assertEqual(client.read_team()["name"], "Acme")
                self.assertEqual(idle_connections(client), 1)

    def test_a_call_over_tls_can_be_cancelled(self):
        begun, ended = threading.Event(), threading.Event()

        def answer(handler):
            begun.set()
            try:
                handler.rfile.read(1)
            except OSError:
                pass
            ended.set()
            handler.close_connection = True

        async def cancel(url):
            context = ssl.create_default_context(cafile=self.CERTIFICATE)
            async with AsyncMeadow(url, "t", timeout=3600, ssl_context=context) as client:
                call = asyncio.ensure_future(client.read_team())
                await asyncio.get_running_loop().run_in_executor(None, begun.wait)
                call.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await call

        with Script(answer, certificate=self.CERTIFICATE) as script:
            asyncio.run(cancel(script.url))
            self.assertTrue(ended.wait(60))


class Proxies(unittest.TestCase):
    def test_the_proxy_of_the_environment_is_used(self):
        with Script(TEAM) as proxy, mock.patch.dict(
            "os.environ", {"http_proxy": proxy.url.replace("//", "//me:pass%21@"), "no_proxy": "", "NO_PROXY": ""}
        ):
            with Meadow("http://meadow.example.org", "t") as client:
                self.assertEqual(client.read_team()["name"], "Acme")
        path, headers = proxy.requests[0]
        self.assertEqual(path, "http://meadow.example.org/api/v1/team")
        self.assertEqual(headers["Proxy-Authorization"], "Basic bWU6cGFzcyE=")
        self.assertEqual(headers["Host"], "meadow.example.org")

    def test_a_call_over_tls_goes_through_a_tunnel(self):
        refused = (407, {}, b"")
        with Script(refused) as proxy, mock.patch.dict(
            "os.environ", {"https_proxy": proxy.url, "no_proxy": "", "NO_PROXY": ""}
        ):
            with Meadow("https://meadow.example.org", "t", retries=0) as client:
                with self.assertRaisesRegex(meadow.ConnectionFailed, "407"):
                    client.read_team()
        ((path, headers),) = proxy.requests
        self.assertEqual(path, "meadow.example.org:443")
        self.assertNotIn("Authorization", headers)


class Waits(WorldTest):
    def test_the_solution_is_returned_when_the_solve_ends(self):
        document = happen("createDocument", name="Waited for", content="numbers")
        happen("beginSolve", document=document)
        threading.Timer(0.3, happen, ["endSolve"], {"document": document}).start()
        solution = self.meadow.wait_for_solution(document)
        self.assertEqual(solution["data"]["solutionId"], self.meadow.read_solution(document)["data"]["solutionId"])

    def test_a_document_that_was_never_solved_or_failed_is_not_waited_for(self):
        never = happen("createDocument", name="Never")
        failed = happen("createDocument", name="Failed wait", content="numbers")
        happen("failSolve", document=failed)
        for document, cls in [(never, meadow.NotSolved), (failed, meadow.SolveFailed), ("nothing", meadow.NotFound)]:
            with self.subTest(cls.__name__), self.assertRaises(cls):
                self.meadow.wait_for_solution(document)

    def test_a_wait_ends_with_its_timeout(self):
        document = happen("createDocument", name="Long", content="numbers")
        happen("beginSolve", document=document)
        self.addCleanup(happen, "endSolve", document=document)
        with self.assertRaises(meadow.TimedOut):
            self.meadow.wait_for_solution(document, timeout=0.5)


def idle_connections(client):
    return sum(map(len, client._backend._pool._idle.values()))
