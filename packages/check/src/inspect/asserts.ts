import { formatPath } from '@meadow/document'
import type { Solution } from '@meadow/solver'
import type { AssertResult } from './inspection.ts'
import type { WalkedNode } from './walk-nodes.ts'

/** Assert True, a parameter that comes with Rhino 8 and later. Source: github.com/mcneel/Rhino.Testing. */
const ASSERT_TRUE = '0890a32c-4e30-4f06-a98f-ed62b45838cf'

/** The maximum number of places that are named for one assert. */
const MAX_NAMED = 3

/** Returns the result of each Assert True of a test, in the order of the file. */
export const evaluateAsserts = (nodes: readonly WalkedNode[], solution: Solution): AssertResult[] =>
  nodes
    .filter(({ node }) => node.templateId === ASSERT_TRUE)
    .map((walked) => ({ node: walked.place, ...evaluate(walked, solution) }))

function evaluate(
  { node, isEnabled, depth }: WalkedNode,
  { ports, states, messages }: Solution,
): Omit<AssertResult, 'node'> {
  if (!isEnabled) return { status: 'skipped' }
  if (depth > 0)
    return { status: 'unknown', message: 'It is inside a cluster, where asserts are not looked at' }
  const { instanceId } = node
  const state = states.get(instanceId)
  if (state === 'unknown' || state === 'unsupported') {
    const reason = messages.find(
      (message) =>
        message.nodeInstanceId === instanceId && ['unknown', 'unsupported', 'limit'].includes(message.code),
    )
    return { status: 'unknown', message: reason?.message ?? 'What reaches it is not known' }
  }
  const branches = ports.get(instanceId)?.get(instanceId)?.branches ?? []
  const values = branches.flatMap(({ path, values }) =>
    values.map((value, index) => ({ value, where: `${formatPath(path)}[${index}]` })),
  )
  if (values.length === 0) return { status: 'unknown', message: 'No values reach it, so it asserts nothing' }
  const wrong = values.filter(({ value }) => value !== true)
  if (wrong.length === 0) return { status: 'passed' }
  const named = wrong
    .slice(0, MAX_NAMED)
    .map(({ value, where }) => `${value === null ? 'null' : 'false'} at ${where}`)
  const more = wrong.length > MAX_NAMED ? ` and ${wrong.length - MAX_NAMED} more` : ''
  return { status: 'failed', message: `It is ${named.join(', ')}${more}, of ${values.length}` }
}
