import { API_PREFIX } from '../terms.ts'
import { CURL } from './curl.ts'
import type { ExampleCall, ExampleWriter } from './example-writer.ts'
import { POWERSHELL } from './powershell.ts'
import { PYTHON } from './python.ts'
import { TYPESCRIPT } from './typescript.ts'

/*
 * Scripts that read the API, as the web app and the reference page show them. They need nothing that is not part of
 * their language, take the token from MEADOW_TOKEN, and work as they are.
 */

/** The languages of the examples, in the order in which they are offered. */
export const EXAMPLE_LANGUAGES = [
  { id: 'curl', label: 'curl' },
  { id: 'powershell', label: 'PowerShell' },
  { id: 'python', label: 'Python' },
  { id: 'typescript', label: 'TypeScript' },
] as const

export type ExampleLanguage = (typeof EXAMPLE_LANGUAGES)[number]['id']

export type { ExampleCall } from './example-writer.ts'

const WRITERS: Record<ExampleLanguage, ExampleWriter> = {
  curl: CURL,
  powershell: POWERSHELL,
  python: PYTHON,
  typescript: TYPESCRIPT,
}

const OF_A_DOCUMENT: ReadonlySet<ExampleCall> = new Set(['readDocument', 'readSolution', 'requestExport'])

export interface ExampleOptions {
  /** The public address of the service, without a closing slash. */
  address: string
  calls: readonly ExampleCall[]
  /** The document that is read; without it, the one that was changed last. */
  documentId?: string
}

/** Writes a script that makes these calls. */
export function writeExample(
  language: ExampleLanguage,
  { address, calls, documentId }: ExampleOptions,
): string {
  const writer = WRITERS[language]
  const api = address + API_PREFIX
  const isOfDocument = calls.some((call) => OF_A_DOCUMENT.has(call))
  return [
    writer.prepare(api),
    isOfDocument ? writer.findDocument(api, documentId) : '',
    ...calls.map((call) => writer.calls[call](api)),
  ]
    .filter((part) => part !== '')
    .join('\n')
}
