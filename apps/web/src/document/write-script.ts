export const SCRIPT_LANGUAGES = [
  { id: 'curl', label: 'curl' },
  { id: 'python', label: 'Python' },
  { id: 'typescript', label: 'TypeScript' },
] as const

export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number]['id']

/** A script that reads a document and its solution, and asks for an export. The token stands in `MEADOW_TOKEN`. */
export function writeScript(language: ScriptLanguage, origin: string, documentId: string): string {
  const document = `${origin}/api/v1/documents/${documentId}`
  switch (language) {
    case 'curl':
      return `curl -H "Authorization: Bearer $MEADOW_TOKEN" ${document}
curl -H "Authorization: Bearer $MEADOW_TOKEN" ${document}/solution
curl -H "Authorization: Bearer $MEADOW_TOKEN" "${document}/export?format=.gh"`
    case 'python':
      return `import os, requests

api = requests.Session()
api.headers["Authorization"] = f"Bearer {os.environ['MEADOW_TOKEN']}"
url = "${document}"

document = api.get(url).json()["document"]
solution = api.get(f"{url}/solution")
if solution.ok and solution.status_code != 202:
    data = solution.json()["data"]
    for node_id, ports in data.items():
        if node_id != "solutionId":
            print(document["nodes"][node_id]["nickName"], ports)`
    case 'typescript':
      return `const headers = { Authorization: \`Bearer \${process.env.MEADOW_TOKEN}\` }
const url = '${document}'

const { document } = await (await fetch(url, { headers })).json()
const answer = await fetch(\`\${url}/solution\`, { headers })
if (answer.status === 200) {
  const { data, messages } = await answer.json()
  console.log(document.name, data, messages)
}`
  }
}
