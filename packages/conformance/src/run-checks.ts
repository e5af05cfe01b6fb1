import { SENTENCES } from './contract/sentences.ts'
import { Broken, NotChecked, type Sentence } from './sentence.ts'
import { openService, type Service } from './service.ts'
import { SECRETS, type Settings } from './settings.ts'

/** What came of one sentence. The texts hold no token and no link. */
export interface Result {
  id: string
  says: string
  outcome: Outcome
  durationMs: number
}

export type Outcome =
  | { kind: 'passed' }
  | { kind: 'failed'; expected: string; came: string }
  /** `why` says what the check needs, or why no request can tell. */
  | { kind: 'not checked'; why: string }

/**
 * Checks a server against every sentence of the contract, one after the other, and returns a result for each one that
 * repeats no other. Rejects when the server cannot be reached, or refuses the token.
 */
export async function runChecks(settings: Settings): Promise<Result[]> {
  const service = openService(settings)
  try {
    await requireAccess(service)
    const results: Result[] = []
    for (const sentence of SENTENCES) {
      if ('sameAs' in sentence) continue
      const start = performance.now()
      const outcome = redact(await judge(sentence, service), settings)
      results.push({
        id: sentence.id,
        says: sentence.says,
        outcome,
        durationMs: performance.now() - start,
      })
    }
    return results
  } finally {
    service.close()
  }
}

async function requireAccess(service: Service): Promise<void> {
  const { origin, pathname } = new URL(service.settings.baseUrl)
  const where = `${origin}${pathname}`
  let status: number
  try {
    status = (await service.get('/team')).status
  } catch (error) {
    throw new Error(`${where} does not answer: ${reasonOf(error)}.`)
  }
  if (status === 401 || status === 403)
    throw new Error(`${where} refuses the token in ${SECRETS.token} with ${status}: nothing can be checked.`)
}

async function judge(sentence: Exclude<Sentence, { sameAs: unknown }>, service: Service): Promise<Outcome> {
  if ('cannot' in sentence) return { kind: 'not checked', why: sentence.cannot }
  try {
    await sentence.check(service)
    return { kind: 'passed' }
  } catch (error) {
    if (error instanceof NotChecked) return { kind: 'not checked', why: `needs ${error.message}` }
    if (error instanceof Broken) return { kind: 'failed', expected: error.expected, came: error.came }
    return { kind: 'failed', expected: 'an answer', came: `none: ${reasonOf(error)}` }
  }
}

const reasonOf = (error: unknown): string => {
  const { message, code } = error as { message?: string; code?: string }
  return message || code || String(error)
}

/** Servers may repeat in their errors what they were sent. */
function redact(outcome: Outcome, settings: Settings): Outcome {
  const secrets = Object.keys(SECRETS).flatMap((name) => settings[name as keyof typeof SECRETS] ?? [])
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
  return Object.fromEntries(Object.entries(outcome).map(([name, text]) => [name, clean(text)])) as Outcome
}
