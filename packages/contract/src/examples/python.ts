import type { ExampleWriter } from './example-writer.ts'

/** The examples need Python 3.9 or later. */
export const PYTHON: ExampleWriter = {
  prepare: (api) => `import json, os, time, urllib.error, urllib.request

API = "${api}"

def get(path):
    """Reads JSON. Waits while a document is being solved (202) or the service is busy (429, 503)."""
    headers = {"Authorization": f"Bearer {os.environ['MEADOW_TOKEN']}"}
    while True:
        try:
            response = urllib.request.urlopen(urllib.request.Request(API + path, headers=headers))
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                raise
            response = error
        with response:
            if response.status == 200:
                return json.load(response)
            time.sleep(int(response.headers["Retry-After"] or 1))
`,
  findDocument: (_, id) =>
    id === undefined
      ? `newest = get("/documents")["documents"][0]  # or the id of any document
path = f"/documents/{newest['id']}"
`
      : `path = "/documents/${id}"`,
  calls: {
    readTeam: () => `team = get("/team")["team"]
print(team["name"], team["rootFolderId"])`,
    readFolder: () => `folder = get("/folders/root")["folder"]
for item in folder["folders"] + folder["documents"]:
    print(item["id"], item["name"])`,
    searchDocuments: () => `for document in get("/documents?q=tower")["documents"]:
    print(document["id"], document["name"])`,
    readDocument: () => `document = get(path)["document"]
for node in document["nodes"].values():
    for tree in node["values"].values():
        print(node["nickName"], tree["branches"])
`,
    readSolution: () => `try:
    solution = get(f"{path}/solution")
except urllib.error.HTTPError as error:  # 409: never solved, 502: the solve failed
    raise SystemExit(json.load(error)["error"])
for node_id, ports in solution["data"].items():
    if node_id != "solutionId":
        for port_id, tree in ports.items():
            print(node_id, port_id, tree["branches"])
counts = solution.get("completeness")
if counts:
    print(counts["solved"], "of", counts["nodes"], "nodes are solved")`,
    requestExport: () => `try:
    export = get(f"{path}/export?format=.gh")["export"]
except urllib.error.HTTPError as error:  # 409: never solved, 502: the solve failed
    raise SystemExit(json.load(error)["error"])
urllib.request.urlretrieve(export["url"], export["fileName"])
print(export["fileName"], export["size"], "bytes")`,
    readChanges:
      () => `cursor = get("/changes")["changes"]["cursor"]  # then read everything, and later what has changed:
changes = get(f"/changes?since={cursor}")["changes"]
for document in changes["documents"]:
    print(document["id"], document["name"], document["happened"])
print("next time:", changes["cursor"])`,
  },
}
