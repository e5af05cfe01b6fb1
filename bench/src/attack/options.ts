import { parseArgs } from 'node:util'
import { ATTACK_FAMILIES, type Attack } from './attacks/attack.ts'
import { ATTACKS } from './attacks/attacks.ts'
import type { Pace } from './testbed/testbed.ts'

export interface AttackOptions {
  attacks: readonly Attack[]
  pace: Pace
  /** Whether all attacks use PostgreSQL, not only those that need it. */
  postgres: boolean
  json: boolean
}

export const HELP = `Attacks a server while another team works there, and tells what that team notices.

  npm run attack                          every attack, about forty minutes
  npm run attack -- --quick               a quarter of the numbers, shorter, about twelve minutes
  npm run attack -- --only waits,live     families (${ATTACK_FAMILIES.join(', ')})
                                          or attacks whose name contains the words
  npm run attack -- --postgres            all on PostgreSQL; without it only what needs it
  npm run attack -- --json > now.json     every figure

Ends with 1 when another team was held up, or the server lost memory or its life: the limits of docs/attack.md.
Nothing but this machine's loopback address is attacked.
`

export const FULL: Pace = { share: 1, durationMs: 15_000, warmUpMs: 4000, normalMs: 8000, afterMs: 60_000 }
const QUICK: Pace = { share: 0.25, durationMs: 6000, warmUpMs: 2000, normalMs: 4000, afterMs: 20_000 }

/** Throws an error with a message for users when the arguments are invalid. */
export function readAttackOptions(args: readonly string[]): AttackOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      postgres: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  const wanted = values.only.flatMap((text) => text.split(',')).map((text) => text.trim())
  return {
    attacks: wanted.length === 0 ? ATTACKS : choose(wanted),
    pace: values.quick ? QUICK : FULL,
    postgres: values.postgres,
    json: values.json,
  }
}

function choose(wanted: readonly string[]): Attack[] {
  const matches = ({ family, name }: Attack, text: string) => family === text || name.includes(text)
  for (const text of wanted) {
    if (text === '' || !ATTACKS.some((attack) => matches(attack, text)))
      throw new Error(`No attack is called "${text}". There are ${ATTACK_FAMILIES.join(', ')}.`)
  }
  return ATTACKS.filter((attack) => wanted.some((text) => matches(attack, text)))
}
