import type { ExampleWriter } from './example-writer.ts'

/** The examples work in Windows PowerShell 5.1 and in PowerShell 7. */
export const POWERSHELL: ExampleWriter = {
  prepare: (api) => `$api = "${api}"
$headers = @{ Authorization = "Bearer $env:MEADOW_TOKEN" }`,
  findDocument: (_, id) =>
    id === undefined
      ? `# The document that was changed last; or put the id of any document here.
$document = (Invoke-RestMethod -Headers $headers "$api/documents").documents[0].id`
      : `$document = "${id}"`,
  calls: {
    readTeam: () => '(Invoke-RestMethod -Headers $headers "$api/team").team',
    readFolder: () => '(Invoke-RestMethod -Headers $headers "$api/folders/root").folder.documents',
    searchDocuments: () => '(Invoke-RestMethod -Headers $headers "$api/documents?q=tower").documents',
    readDocument: () =>
      '(Invoke-RestMethod -Headers $headers "$api/documents/$document").document | ConvertTo-Json -Depth 12',
    readSolution: () => `do { # Waits while the document is being solved (202).
  $response = Invoke-WebRequest -UseBasicParsing -Headers $headers "$api/documents/$document/solution"
  if ($response.StatusCode -eq 202) { Start-Sleep -Seconds ([int]"$($response.Headers['Retry-After'])") }
} while ($response.StatusCode -eq 202)
$response.Content`,
    requestExport:
      () => `$export = (Invoke-RestMethod -Headers $headers "$api/documents/$document/export?format=.gh").export
Invoke-WebRequest -UseBasicParsing $export.url -OutFile $export.fileName`,
    readChanges: () => `# Keep the cursor, read everything, and ask later what has changed.
$cursor = (Invoke-RestMethod -Headers $headers "$api/changes").changes.cursor
(Invoke-RestMethod -Headers $headers "$api/changes?since=$cursor").changes.documents`,
  },
}
