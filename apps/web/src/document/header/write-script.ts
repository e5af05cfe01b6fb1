export const SCRIPT_LANGUAGES = [
  { id: 'curl', label: 'curl' },
  { id: 'python', label: 'Python' },
  { id: 'typescript', label: 'TypeScript' },
] as const

export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number]['id']

/**
 * A script that reads a document and its solution with the token in `MEADOW_TOKEN`. It waits while the document is being
 * solved, and says whether the solution is complete. `origin` is the base URL of the service.
 */
export function writeScript(language: ScriptLanguage, origin: string, documentId: string): string {
  const document = `${origin}/api/v1/documents/${documentId}`
  switch (language) {
    case 'curl':
      return `curl -H "Authorization: Bearer $MEADOW_TOKEN" ${document}
curl -H "Authorization: Bearer $MEADOW_TOKEN" -H "Prefer: wait=30" ${document}/solution
curl -H "Authorization: Bearer $MEADOW_TOKEN" "${document}/export?format=.gh"`
    case 'python':
      return `import json, os, time, urllib.request

url = "${document}"

def read(path=""):
    headers = {"Authorization": f"Bearer {os.environ['MEADOW_TOKEN']}"}
    while True:
        with urllib.request.urlopen(urllib.request.Request(url + path, headers=headers)) as answer:
            if answer.status != 202:
                return json.load(answer)
            time.sleep(int(answer.headers.get("Retry-After", 1)))  # It is being solved.

nodes = read()["document"]["nodes"]
solution = read("/solution")
counts = solution.get("completeness")
if counts and not counts["isComplete"]:
    print(f"Partial: {counts['solved']} of {counts['nodes']} nodes are solved.")
for node_id, ports in solution["data"].items():
    if node_id != "solutionId":
        print(nodes[node_id]["nickName"], ports)`
    case 'typescript':
      return `const url = '${document}'

async function read(path = ''): Promise<any> {
  for (;;) {
    const headers = { Authorization: \`Bearer \${process.env.MEADOW_TOKEN}\` }
    const answer = await fetch(url + path, { headers })
    if (!answer.ok) throw new Error((await answer.json()).error)
    if (answer.status !== 202) return answer.json()
    // It is being solved.
    await new Promise((next) => setTimeout(next, 1000 * Number(answer.headers.get('retry-after') ?? 1)))
  }
}

const { document } = await read()
const { data, completeness, messages } = await read('/solution')
if (completeness && !completeness.isComplete)
  console.log(\`Partial: \${completeness.solved} of \${completeness.nodes} nodes are solved.\`)
console.log(document.name, data, messages)`
  }
}
