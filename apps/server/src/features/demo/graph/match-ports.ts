import type { LibraryPort } from '@meadow/document'
import type { PortPlan } from './create-nodes.ts'
import type { Input } from './feed.ts'

/** Inputs in the order of the ports, or by name or nickname. */
export type Inputs = readonly Input[] | Readonly<Record<string, Input>>

/** What reaches each port. Throws for an input that no port takes. */
export function matchPorts(ports: readonly LibraryPort[], inputs: Inputs, owner: string): PortPlan[] {
  const plans: PortPlan[] = ports.map((port) => ({ port }))
  for (const [key, input] of Object.entries(inputs)) {
    const plan = Array.isArray(inputs)
      ? plans[Number(key)]
      : (plans.find(({ port }) => port.name === key) ?? plans.find(({ port }) => port.nickName === key))
    if (!plan) throw new Error(`${owner} has no input "${key}".`)
    plan.input = input
  }
  return plans
}
