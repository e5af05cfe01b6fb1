import { type Export, LINK_LIFETIME_MS } from '@meadow/contract'
import type { BlobLink, BlobLinks } from '../../platform/blobs/blob-links.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import type { ExportFile, WantedExport } from './export-maker.ts'
import { MEDIA_TYPES } from './export-target.ts'
import { toFileName } from './file-name.ts'

/** Who is given a link. */
export interface LinkHolder {
  /** What the link hangs on. */
  token: BlobLink['token']
  /** Where the links that Meadow serves itself lead, without a closing slash. */
  publicAddress: string
}

/** Tells of a file that was made, with a link that works for an hour from now on. */
export async function giveExport(
  { solution, target }: WantedExport,
  { digest, bytes, warnings, documentName }: ExportFile,
  { token, publicAddress }: LinkHolder,
  links: BlobLinks,
): Promise<Export> {
  const fileName = toFileName(documentName, target.format)
  // As late as can be: the hour begins with the answer.
  const expiresAt = Date.now() + LINK_LIFETIME_MS
  const link = await links.create({
    digest,
    fileName,
    mediaType: MEDIA_TYPES[target.format],
    expiresAt,
    token,
    document: solution.documentId,
  })
  return {
    url: link.startsWith('/') ? publicAddress + link : link,
    expiresAt: toTimestamp(expiresAt),
    ...target,
    fileName,
    size: bytes,
    sha256: digest,
    solutionId: solution.id,
    warnings,
  }
}
