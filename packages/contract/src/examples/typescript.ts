import type { ExampleWriter } from './example-writer.ts'

/** The examples are for Node 24, which runs TypeScript as it is. */
export const TYPESCRIPT: ExampleWriter = {
  prepare: (api) => `const API = '${api}'
const headers = { Authorization: \`Bearer \${process.env.MEADOW_TOKEN}\` }

/** Reads JSON. Waits while a document is being solved (202) or the service is busy (429, 503). */
async function get(path: string): Promise<any> {
  for (;;) {
    const response = await fetch(API + path, { headers })
    const body = await response.json()
    if (response.status === 200) return body
    // Such as 409: never solved, or 502: the solve failed.
    if (![202, 429, 503].includes(response.status)) throw new Error(\`\${response.status}: \${body.error}\`)
    const seconds = Number(response.headers.get('Retry-After') ?? 1)
    await new Promise((resume) => setTimeout(resume, 1000 * seconds))
  }
}
`,
  findDocument: (_, id) =>
    id === undefined
      ? `const [newest] = (await get('/documents')).documents // or the id of any document
const path = \`/documents/\${newest.id}\`
`
      : `const path = '/documents/${id}'`,
  calls: {
    readTeam: () => `const { team } = await get('/team')
console.log(team.name, team.rootFolderId)`,
    readFolder: () => `const { folder } = await get('/folders/root')
for (const { id, name } of [...folder.folders, ...folder.documents]) console.log(id, name)`,
    searchDocuments: () => `const { documents } = await get('/documents?q=tower')
for (const { id, name } of documents) console.log(id, name)`,
    readDocument: () => `const { document } = await get(path)
for (const node of Object.values<any>(document.nodes)) {
  for (const tree of Object.values<any>(node.values)) console.log(node.nickName, JSON.stringify(tree.branches))
}
`,
    readSolution: () => `const { data, completeness } = await get(\`\${path}/solution\`)
for (const [nodeId, ports] of Object.entries(data)) {
  if (nodeId !== 'solutionId') console.log(nodeId, JSON.stringify(ports))
}
if (completeness) console.log(completeness.solved, 'of', completeness.nodes, 'nodes are solved')`,
    requestExport: () => `const { export: file } = await get(\`\${path}/export?format=.gh\`)
const { writeFile } = await import('node:fs/promises')
await writeFile(file.fileName, Buffer.from(await (await fetch(file.url)).arrayBuffer()))
console.log(file.fileName, file.size, 'bytes')`,
    readChanges:
      () => `const { cursor } = (await get('/changes')).changes // then read everything, and later what has changed:
const { changes } = await get(\`/changes?since=\${cursor}\`)
for (const { id, name, happened } of changes.documents) console.log(id, name, happened)
console.log('next time:', changes.cursor)`,
  },
}
