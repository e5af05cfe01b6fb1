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
    readSolution: (api) => `# Asks again while the document is being solved: 202, which is no error for curl.
while STATUS=$(curl -s -H "Prefer: wait=30" ${AUTHORIZATION} \\
  -o solution.json -w "%{http_code}" "${api}/documents/$DOCUMENT/solution") && [ "$STATUS" = 202 ]
do sleep 1; done
echo "$STATUS"; cat solution.json # 200; 409: never solved, 502: the solve failed`,
    requestExport: get('/documents/$DOCUMENT/export?format=.gh'),
    readChanges: get('/changes'),
  },
}
