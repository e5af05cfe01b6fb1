import type { ExampleWriter } from './example-writer.ts'

const AUTHORIZATION = '-H "Authorization: Bearer $MEADOW_TOKEN"'

const get = (path: string) => (api: string) => `curl ${AUTHORIZATION} "${api}${path}"`

export const CURL: ExampleWriter = {
  prepare: () => '',
  findDocument: (api, id) =>
    id === undefined
      ? `# The document that was changed last; or put the id of any document here.
DOCUMENT=$(curl -s ${AUTHORIZATION} "${api}/documents" | grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4)`
      : `DOCUMENT=${id}`,
  calls: {
    readTeam: get('/team'),
    readFolder: get('/folders/root'),
    searchDocuments: get('/documents?q=tower'),
    readDocument: get('/documents/$DOCUMENT'),
    readSolution: (api) => `# Waits up to 30 seconds while the document is being solved.
curl -H "Prefer: wait=30" ${AUTHORIZATION} "${api}/documents/$DOCUMENT/solution"`,
    requestExport: get('/documents/$DOCUMENT/export?format=.gh'),
  },
}
