"""Caches, walks and changes, against the real service."""

import asyncio
import json
import pickle
import tempfile
import threading
from pathlib import Path

import meadow
from meadow import CacheEntry, FileCache, Meadow, MemoryCache
from meadow._walk import walk
from world import JSON, Script, WorldTest, happen


class Spy:
    """Passes the requests of a client on, and notes them with their statuses."""

    def __init__(self, client):
        self.seen = []
        backend = client._core.backend
        fetch = backend.fetch

        async def noting(request, deadline):
            fetched = await fetch(request, deadline)
            self.seen.append((request.method, fetched.status, len(fetched.body)))
            return fetched

        backend.fetch = noting

    def take(self):
        seen, self.seen[:] = list(self.seen), []
        return seen


class Lines(WorldTest):
    def test_lines_are_the_solution(self):
        document = happen("createDocument", name="Lines", content="tubes")
        with self.assertRaises(meadow.NotSolved):
            next(self.meadow.read_solution_lines(document))
        happen("solve", document=document)
        for options in ({}, {"nodes": ["name:Tubes"], "include_geometry": True}):
            whole = self.meadow.read_solution(document, **options)
            *ports, end = self.meadow.read_solution_lines(document, **options)
            for port in ports:
                tree = {"branches": port["branches"]}
                end["data"].setdefault(port["nodeInstanceId"], {})[port["portInstanceId"]] = tree
            self.assertEqual(end, whole)

        async def count():
            async with meadow.AsyncMeadow() as client:
                return len([line async for line in client.read_solution_lines(document)])

        self.assertEqual(asyncio.run(count()), len(list(self.meadow.read_solution_lines(document))))

    def test_what_breaks_off_or_is_something_else_fails(self):
        lines = {"Content-Type": "application/x-ndjson"}
        port = b'{"nodeInstanceId":"a","portInstanceId":"b","branches":[]}\n'
        busy = (503, {**JSON, "Retry-After": "0"}, {"error": "Busy."})
        for body, headers, error in (
            (port, lines, meadow.ConnectionFailed),
            (port + b'{"data":{}}', lines, meadow.ConnectionFailed),
            (port + b"no\n", lines, meadow.BadAnswer),
            (b'{"data":{}}\n', JSON, meadow.BadAnswer),
        ):
            with Script(busy, (200, headers, body)) as script, Meadow(script.url, "t") as client:
                with self.assertRaises(error):
                    list(client.read_solution_lines("doc_1"))
                self.assertEqual(len(script.requests), 2)


class Caches(WorldTest):
    def test_what_has_not_changed_is_not_sent_again(self):
        document = happen("createDocument", name="Cached", content="tubes")
        with tempfile.TemporaryDirectory() as folder:
            for cache in (MemoryCache(), FileCache(Path(folder) / "new")):
                with self.subTest(type(cache).__name__):
                    client = self.enter(Meadow(cache=cache))
                    spy = Spy(client)
                    first, second = client.read_document(document), client.read_document(document)
                    self.assertEqual(first, second)
                    self.assertIsNot(first, second)
                    self.assertEqual(
                        [(status, size > 0) for _, status, size in spy.take()], [(200, True), (304, False)]
                    )
                    happen("rename", document=document, name=f"Cached by {cache}")
                    self.assertNotEqual(client.read_document(document)["name"], first["name"])
            # A script that runs again.
            client = self.enter(Meadow(cache=FileCache(Path(folder) / "new")))
            spy = Spy(client)
            client.read_document(document)
            self.assertEqual(spy.take()[0][1], 304)
            self.assertEqual({path.stat().st_mode & 0o77 for path in Path(folder).rglob("*")}, {0})

    def test_a_link_is_never_from_the_cache(self):
        document = happen("createDocument", name="Linked", content="numbers")
        happen("solve", document=document)
        cache = MemoryCache()
        self.enter(Meadow(cache=cache)).request_export(document, format=".gh")
        self.assertEqual(list(cache._entries), [])

    def test_a_damaged_entry_is_read_again(self):
        class Damaged(MemoryCache):
            def get(self, key):
                entry = super().get(key)
                return entry and CacheEntry(entry.tag, entry.body[:-1])

        client = self.enter(Meadow(cache=Damaged()))
        self.assertEqual(client.read_team(), client.read_team())

    def test_a_token_that_may_not_read_gets_nothing_from_the_cache_of_another(self):
        cache = MemoryCache()
        self.enter(Meadow(cache=cache)).read_folder("root")
        few = self.enter(Meadow(token=happen("createToken", scopes=["team:read"])["secret"], cache=cache))
        with self.assertRaises(meadow.Forbidden):
            few.read_folder("root")

    def test_the_memory_keeps_what_was_used_last(self):
        cache = MemoryCache(max_bytes=20)
        for key in "abc":
            cache.set(key, CacheEntry("t", b"x" * 8))
            cache.get("a")
        cache.set("huge", CacheEntry("t", b"x" * 21))
        self.assertEqual([key for key in ("a", "b", "c", "huge") if cache.get(key)], ["a", "c"])


class Walks(WorldTest):
    def test_folders_are_visited_depth_first_in_their_order(self):
        for path in (["Walk", "B", "D"], ["Walk", "A 10"], ["Walk", "A 9", "C"]):
            happen("createFolder", path=path)
        happen("createDocument", name="Deep", path=["Walk", "B", "D"])
        start = happen("createFolder", path=["Walk"])
        visits = list(self.meadow.walk(start))
        paths = ["Walk", "Walk/A 9", "Walk/A 9/C", "Walk/A 10", "Walk/B", "Walk/B/D"]
        self.assertEqual(["/".join(visit.path) for visit in visits], paths)
        self.assertEqual([each["name"] for each in visits[-1].folder["documents"]], ["Deep"])
        self.assertEqual(next(self.meadow.walk()).path, [])

    def test_a_walk_reads_ahead_and_no_more_than_it_may(self):
        gate = threading.Barrier(3)
        lock = threading.Lock()
        counts = {"now": 0, "most": 0}

        def answer(handler):
            folder_id = handler.path.rsplit("/", 1)[1]
            if folder_id != "root":
                with lock:
                    counts["now"] += 1
                    counts["most"] = max(counts["most"], counts["now"])
                # Three at once: fewer would wait here for ever.
                gate.wait(60)
                with lock:
                    counts["now"] -= 1
            children = [{"id": str(number), "name": str(number)} for number in range(6)] if folder_id == "root" else []
            body = {
                "folder": {
                    "id": folder_id,
                    "name": folder_id,
                    "parentId": None,
                    "path": [],
                    "folders": children,
                    "documents": [],
                }
            }
            content = json.dumps(body).encode()
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(content)))
            handler.end_headers()
            handler.wfile.write(content)

        with Script(answer) as script, Meadow(script.url, "t") as client:
            self.assertEqual([visit.folder["id"] for visit in client.walk(concurrency=3)], ["root", *"012345"])
        self.assertEqual(counts["most"], 3)

    def test_at_least_one_folder_is_read_at_once(self):
        folders = [visit.folder["id"] for visit in self.meadow.walk(concurrency=1)]
        self.assertEqual([visit.folder["id"] for visit in self.meadow.walk(concurrency=0)], folders)

    def test_a_folder_that_is_found_while_others_are_read_ahead_is_read_at_once(self):
        children = {"root": "ABCD", "A": ["inside A"]}
        is_needed = asyncio.Event()

        class Reading:
            """Of the folders beside A, which are slow: they come when the one inside A has been asked for."""

            def __init__(self, work):
                self.task = asyncio.ensure_future(work)

            async def result(self):
                return await self.task

            def is_done(self):
                return self.task.done()

            def cancel(self):
                self.task.cancel()

        class Backend:
            start = Reading

        async def read_folder(name):
            if name == "inside A":
                is_needed.set()
            elif name in "BCD":
                await is_needed.wait()
            inside = [{"id": each, "name": each} for each in children.get(name, [])]
            parent = None if name == "root" else "root"
            return {"id": name, "name": name, "parentId": parent, "path": [], "folders": inside, "documents": []}

        async def visit():
            visited = []
            async for folder, _ in walk(Backend(), read_folder, "root", 2):
                visited.append(folder["id"])
                # What is quick is read by now.
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            return visited

        self.assertEqual(asyncio.run(visit()), ["root", "A", "inside A", "B", "C", "D"])

    def test_a_walk_of_an_unknown_folder_fails_and_one_can_be_left(self):
        with self.assertRaises(meadow.NotFound):
            list(self.meadow.walk("nothing"))
        for visit in self.meadow.walk():
            break
        self.assertEqual(self.meadow.read_team()["name"], "Acme")


class Changes(WorldTest):
    def setUp(self):
        super().setUp()
        self.name = self.id().rsplit(".", 1)[1]
        self.top = happen("createFolder", path=[self.name])

    def document(self, name, *path, content="empty"):
        return happen("createDocument", name=name, path=[self.name, *path], content=content)

    def read(self, state=None, **options):
        """The changes in short, and the next state after a way through JSON."""
        changes = self.meadow.changed_since(state, folder_id=self.top, **options)
        found = sorted((change.type, change.document["name"]) for change in changes)
        return found, json.loads(json.dumps(changes.state))

    def test_each_kind_of_change_is_found(self):
        ids = {name: self.document(name) for name in ("moved", "renamed", "edited", "published", "removed", "same")}
        self.document("inside", "Old name")
        found, state = self.read()
        self.assertEqual(found, [("new", name) for name in sorted([*ids, "inside"])])
        self.assertEqual(self.read(state)[0], [])
        happen("move", document=ids["moved"], path=[self.name, "Elsewhere"])
        happen("rename", document=ids["renamed"], name="renamed 2")
        happen("edit", documents=[ids["edited"]])
        happen("publish", document=ids["published"])
        happen("remove", document=ids["removed"])
        happen("renameFolder", folder=happen("createFolder", path=[self.name, "Old name"]), name="New name")
        self.document("another")
        found, after = self.read(state)
        self.assertEqual(
            [change for change in found if change != ("changed", "renamed 2")],
            [
                ("changed", "edited"),
                ("changed", "published"),
                ("gone", "removed"),
                ("moved", "inside"),
                ("moved", "moved"),
                ("new", "another"),
                ("renamed", "renamed 2"),
            ],
        )
        self.assertEqual(self.read(after)[0], [])

    def test_a_change_has_what_was_and_what_is(self):
        document = self.document("Plan")
        _, state = self.read()
        happen("move", document=document, path=[self.name, "Deeper"])
        (change,) = self.meadow.changed_since(state, folder_id=self.top)
        self.assertEqual(change.previous["path"], [self.name])
        self.assertEqual(change.document["path"], [self.name, "Deeper"])

    def test_an_unchanged_team_costs_one_request(self):
        self.document("One", "A")
        self.document("Two", "B")
        _, state = self.read()
        spy = Spy(self.meadow)
        self.assertEqual(self.read(state, solutions=True)[0], [])
        self.assertEqual(len(spy.take()), 1)
        happen("edit", documents=[self.document("Three", "B")])
        self.assertEqual(self.read(state)[0], [("new", "Three")])
        self.assertEqual(len(spy.take()), 1)

    def test_changes_beyond_the_fifty_of_a_search_are_found(self):
        ids = [self.document(f"Document {number}") for number in range(52)]
        found, state = self.read()
        self.assertEqual(len(found), 52)
        happen("edit", documents=ids)
        self.assertEqual(len(self.read(state)[0]), 52)

    def test_solutions_are_compared_when_asked_for(self):
        solved = self.document("Solved", content="numbers")
        failing = self.document("Failing", content="numbers")
        self.document("Never")
        happen("solve", document=solved)
        found, state = self.read(solutions=True)
        self.assertEqual(found, [("new", "Failing"), ("new", "Never"), ("new", "Solved"), ("solved", "Solved")])
        self.assertEqual(self.read(state, solutions=True)[0], [])
        happen("solve", document=solved)
        happen("failSolve", document=failing)
        found, state = self.read(state, solutions=True)
        self.assertEqual(found, [("failed", "Failing"), ("solved", "Solved")])
        self.assertEqual(self.read(state, solutions=True)[0], [])

    def test_what_moves_while_folders_are_read_is_reported_once_where_it_is(self):
        self.document("Stair", "A", "Deep")
        wanderer = self.document("Wanderer", "Z")
        b = happen("createFolder", path=[self.name, "B"])
        deep = happen("createFolder", path=[self.name, "A", "Deep"])
        fetch = self.meadow._core.backend.fetch
        moved = []

        async def moving(request, deadline):
            path = request.url.partition("/api/v1")[2]
            if path == f"/folders/{b}" and not moved:
                moved.append(path)
                happen("moveFolder", folder=deep, path=[self.name, "B"])
                happen("move", document=wanderer, path=[self.name, "A"])
                self.document("Door", "B", "Deep")
            return await fetch(request, deadline)

        self.meadow._core.backend.fetch = moving
        changes = self.meadow.changed_since(folder_id=self.top, concurrency=1)
        found = sorted(("/".join(change.document["path"][1:]), change.document["name"]) for change in changes)
        self.assertEqual(found, [("A", "Wanderer"), ("B/Deep", "Door"), ("B/Deep", "Stair")])
        self.assertEqual(self.read(changes.state)[0], [])

    def test_folders_that_come_into_the_one_that_is_followed_are_read(self):
        self.document("Tower", "A")
        self.document("Stair", "B", "Deep")
        a = happen("createFolder", path=[self.name, "A"])
        b = happen("createFolder", path=[self.name, "B"])
        first = self.meadow.changed_since(folder_id=a)
        self.assertEqual([change.document["name"] for change in first], ["Tower"])
        happen("moveFolder", folder=b, path=[self.name, "A"])
        second = self.meadow.changed_since(first.state, folder_id=a)
        self.assertEqual([(change.type, change.document["name"]) for change in second], [("new", "Stair")])
        happen("moveFolder", folder=a, path=[self.name, "C"])
        third = self.meadow.changed_since(second.state, folder_id=a)
        self.assertEqual(
            sorted("/".join(change.document["path"][1:]) for change in third if change.type == "moved"),
            ["C/A", "C/A/B/Deep"],
        )

    def test_a_cursor_that_is_not_known_means_to_read_everything_again(self):
        document = self.document("Plan")
        _, state = self.read()
        happen("rename", document=document, name="Ground plan")
        found, after = self.read({**state, "cursor": "unknown"})
        self.assertEqual(found, [("changed", "Ground plan"), ("renamed", "Ground plan")])
        self.assertEqual(self.read(after)[0], [])

    def test_a_solution_is_not_solved_once_more_after_a_call_that_did_not_ask(self):
        document = self.document("Solved", content="numbers")
        happen("solve", document=document)
        _, state = self.read(solutions=True)
        _, state = self.read(state)
        self.assertEqual(self.read(state, solutions=True)[0], [])
        happen("solve", document=document)
        _, state = self.read(state)
        self.assertEqual(self.read(state, solutions=True)[0], [("solved", "Solved")])

    def test_something_else_that_answers_has_no_changes(self):
        page = (200, {"Content-Type": "text/html"}, b"<p>Sign in")
        with Script(page) as script, Meadow(script.url, "t") as client:
            with self.assertRaises(meadow.BadAnswer):
                list(client.changed_since())

    def test_a_state_is_of_one_folder_and_there_when_all_was_read(self):
        self.document("One"), self.document("Two")
        changes = self.meadow.changed_since(folder_id=self.top)
        next(iter(changes))
        with self.assertRaisesRegex(meadow.MeadowError, "when all changes have been read"):
            changes.state
        _, state = self.read()
        for other in (state, {}):
            with self.assertRaisesRegex(meadow.MeadowError, "another folder"):
                self.meadow.changed_since(other)

    def test_a_closed_client_says_so(self):
        client = Meadow()
        client.close()
        for work in (client.walk, client.changed_since):
            with self.assertRaisesRegex(meadow.MeadowError, "was closed"):
                list(work())


class LimitedTokens(WorldTest):
    def setUp(self):
        super().setUp()
        self.name = self.id().rsplit(".", 1)[1]
        for path in (["Deep", "East"], ["West"], ["Deep"]):
            happen("createDocument", name="Wall", path=[self.name, *path])
        self.east = happen("createFolder", path=[self.name, "Deep", "East"])
        self.west = happen("createFolder", path=[self.name, "West"])
        token = happen("createToken", folders=[self.east, self.west])["secret"]
        self.limited = self.enter(Meadow(token=token))

    def test_a_limited_token_sees_its_folders_in_the_root(self):
        self.assertEqual((self.meadow.read_reach(), self.limited.read_reach()), ("team", "folders"))
        visits = [("/".join(path), len(folder["documents"])) for folder, path in self.limited.walk()]
        self.assertEqual(visits, [("", 0), ("East", 1), ("West", 1)])
        found = self.limited.search_documents(q="Wall")["documents"]
        self.assertEqual(sorted(each["folder"]["name"] for each in found), ["East", "West"])
        deep = happen("createFolder", path=[self.name, "Deep"])
        with self.assertRaises(meadow.NotFound):
            self.limited.read_folder(deep)

    def test_what_is_out_of_reach_is_not_called_gone(self):
        changes = self.meadow.changed_since()
        count = len(list(changes))
        narrower = self.limited.changed_since(json.loads(json.dumps(changes.state)))
        with self.assertRaisesRegex(meadow.OutOfReach, "may still exist") as raised:
            list(narrower)
        self.assertEqual(raised.exception.count, count - 2)
        self.assertEqual(pickle.loads(pickle.dumps(raised.exception)).count, count - 2)
        with self.assertRaises(meadow.MeadowError):
            narrower.state
        allowed = self.limited.changed_since(changes.state, allow_narrower=True)
        self.assertEqual(sum(change.type == "gone" for change in allowed), count - 2)
        self.assertEqual(list(self.limited.changed_since(allowed.state)), [])

    def test_what_leaves_a_folder_of_the_token_is_gone(self):
        document = happen("createDocument", name="Roof", path=[self.name, "West"])
        changes = self.limited.changed_since()
        self.assertEqual(len(list(changes)), 3)
        happen("move", document=document, path=[self.name])
        (gone,) = self.limited.changed_since(changes.state)
        self.assertEqual((gone.type, gone.document["name"]), ("gone", "Roof"))
