"""The client for asyncio: the same calls, and what only it has."""

import asyncio
import inspect
import io
import tempfile
import threading
import time
import unittest
from pathlib import Path

import meadow
from meadow import AsyncMeadow, Meadow
from world import PROXY, TEAM, Script, happen


class Surface(unittest.TestCase):
    def test_both_clients_have_the_same_methods_with_the_same_parameters(self):
        def methods(cls):
            return {name: member for name, member in inspect.getmembers(cls, callable) if not name.startswith("_")}

        blocking, awaited = methods(Meadow), methods(AsyncMeadow)
        self.assertEqual(set(blocking) - {"close"}, set(awaited) - {"aclose"})
        for name in set(blocking) & set(awaited):
            with self.subTest(name):
                self.assertEqual(parameters(blocking[name]), parameters(awaited[name]))
                self.assertTrue(inspect.getdoc(awaited[name]))
        # A download takes all parameters of the export.
        of_export = {parameter.name for parameter in parameters(Meadow.request_export)} - {"timeout"}
        self.assertLessEqual(of_export, {parameter.name for parameter in parameters(Meadow.download)})
        self.assertEqual(parameters(Meadow.__init__), parameters(AsyncMeadow.__init__))


def parameters(method):
    return list(inspect.signature(method).parameters.values())


class Calls(unittest.IsolatedAsyncioTestCase):
    async def test_every_method_works_on_the_event_loop(self):
        document = happen("createDocument", name="Async", content="tubes", path=["Async"])
        happen("beginSolve", document=document)
        async with AsyncMeadow() as client:
            waiting = asyncio.ensure_future(client.wait_for_solution(document))
            # Other calls go on meanwhile.
            self.assertEqual((await client.read_team())["name"], "Acme")
            await asyncio.to_thread(happen, "endSolve", document=document)
            solution = await waiting
            self.assertEqual(
                solution["data"]["solutionId"], (await client.read_solution(document))["data"]["solutionId"]
            )
            paths = [visit.path async for visit in client.walk()]
            self.assertIn(["Async"], paths)
            changes = client.changed_since(solutions=True)
            kinds = {change.type async for change in changes if change.document["id"] == document}
            self.assertEqual(kinds, {"new", "solved"})
            self.assertEqual([change async for change in client.changed_since(changes.state)], [])
            self.assertEqual((await client.request("/nothing")).status, 404)
            with self.assertRaises(meadow.NotFound):
                await client.read_document("nothing")
            with tempfile.TemporaryDirectory() as folder:
                done = await client.download(document, Path(folder), format=".gh")
                self.assertEqual(done.path.stat().st_size, done.export["size"])
                file = io.BytesIO()
                await client.download(document, file, format=".gh")
                self.assertEqual(file.getvalue(), done.path.read_bytes())

    async def test_calls_run_beside_each_other(self):
        together = threading.Barrier(8)

        def answer(handler):
            # Fewer than eight at once would wait here for ever.
            together.wait(60)
            script.send(handler, TEAM)

        with Script(answer) as script:
            async with AsyncMeadow(script.url, "t") as client:
                teams = await asyncio.gather(*(client.read_team() for _ in range(8)))
        self.assertEqual([team["name"] for team in teams], ["Acme"] * 8)

    async def test_a_cancelled_call_ends_its_connection(self):
        begun, ended = threading.Event(), threading.Event()

        def answer(handler):
            begun.set()
            # Until the client has closed its end.
            if handler.rfile.read(1) == b"":
                ended.set()
            handler.close_connection = True

        with Script(answer) as script:
            async with AsyncMeadow(script.url, "t", timeout=3600) as client:
                call = asyncio.ensure_future(client.read_team())
                await asyncio.to_thread(begun.wait)
                call.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await call
                self.assertTrue(await asyncio.to_thread(ended.wait, 60))

    async def test_a_deadline_of_asyncio_counts(self):
        happen("freeze")
        try:
            async with AsyncMeadow(PROXY) as client:
                start = time.monotonic()
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(client.read_team(), 0.2)
                self.assertLess(time.monotonic() - start, client._core.settings.timeout / 2)
        finally:
            happen("resume")
            happen("cut")
