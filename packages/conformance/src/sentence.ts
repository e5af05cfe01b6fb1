import type { Answer } from './http-client.ts'
import type { Service } from './service.ts'

/**
 * A sentence of the contract. Its id is `C`, the part of the contract, and a number: that of the contract where it
 * numbers its rules, otherwise the next one. It has a check, or repeats sentences that have one, or no request can tell
 * whether it is true.
 */
export type Sentence = { id: string; says: string } & (
  | {
      /** Resolves when the server does what the sentence says. Rejects with `Broken` or `NotChecked`. */
      check(service: Service): Promise<void>
    }
  | { sameAs: readonly string[] }
  | { cannot: string }
)

/** A server does not do what a sentence says. Both parts are shown to the user. */
export class Broken extends Error {
  readonly expected: string
  readonly came: string

  constructor(expected: string, came: string) {
    super(`expected ${expected}; came ${came}`)
    this.expected = expected
    this.came = came
  }
}

/** A check lacks what it needs. The message goes on behind "needs". */
export class NotChecked extends Error {}

/** Throws `Broken` unless the condition holds. `came` is an answer, or any value, which is shown as JSON. */
export function expect(condition: boolean, expected: string, came: unknown): asserts condition {
  if (!condition) throw new Broken(expected, isAnswer(came) ? describeAnswer(came) : describe(came))
}

/** Throws `Broken` unless an answer has one of these statuses. */
export function expectStatus(answer: Answer, ...statuses: number[]): void {
  const wanted = statuses.join(' or ')
  expect(statuses.includes(answer.status), `${wanted} to ${shorten(answer.request)}`, answer)
}

/** Returns the value. Throws `NotChecked` when it is undefined. */
export function need<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new NotChecked(what)
  return value
}

export type Members = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** A member of a value, or undefined where the value is no object. */
export const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

const isAnswer = (value: unknown): value is Answer => isObject(value) && Buffer.isBuffer(value.bytes)

/** The bodies of successful answers are left out: they are long, and those of exports hold links. */
function describeAnswer({ status, bytes, request }: Answer): string {
  const body = status >= 400 || status === 202 ? ` ${bytes.toString()}` : ''
  return shorten(`${status}${body} to ${request}`)
}

const describe = (value: unknown): string => shorten(value === undefined ? 'nothing' : JSON.stringify(value))

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
