import type { RequestExportParameters } from '@meadow/client'
import type { Page } from '../text/page.ts'
import type { ToolContext } from './context.ts'
import { readByIdOrName } from './find-document.ts'

export type ExportArguments = { document: string } & RequestExportParameters

/** Returns a link to a file, with a description of its content. */
export async function exportDocument(
  { document, ...request }: ExportArguments,
  context: ToolContext,
): Promise<Page> {
  const { url, expiresAt, fileName, size, sha256, completeness, warnings } = await readByIdOrName(
    context,
    document,
    (id) => context.meadow.requestExport(id, { ...request, signal: context.signal }),
  )
  const lines = [
    `${fileName}, ${size} bytes: ${url}`,
    `The link needs no token and works until ${expiresAt}. SHA-256 ${sha256}.`,
    ...(completeness && !completeness.isComplete ? ['The solution that it holds is not complete.'] : []),
    ...warnings.map((warning) => `Note: ${warning}`),
  ]
  return { text: lines.join('\n') }
}
