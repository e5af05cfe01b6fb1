import type { SolveState, SolveSummary } from '@meadow/contract/web'
import { count } from '../shell/count.ts'

/** How the state of a document is shown, in every place that shows it. */
export interface SolveDescription {
  /** The state in a few words. */
  label: string
  /** The state in one or two sentences. */
  sentence: string
  /** Colours as on the canvas: violet for what Meadow cannot solve, red for errors. */
  color: 'gray' | 'blue' | 'meadow' | 'violet' | 'red'
  /** Whether the document has no usable solution, and somebody has to do something about it. */
  isFailure: boolean
}

const IN_PROGRESS: Record<Exclude<SolveState, 'solved'>, Omit<SolveDescription, 'isFailure'>> = {
  never: { label: 'Not solved', color: 'gray', sentence: 'This document has not been solved yet.' },
  queued: { label: 'Waiting', color: 'blue', sentence: 'The document is waiting to be solved.' },
  running: { label: 'Solving', color: 'blue', sentence: 'The document is being solved.' },
  failed: { label: 'Solve failed', color: 'red', sentence: 'The last solve failed: it has no solution.' },
}

/** The words and the colour for the most recent solve of a document. Only a solution without errors is "Solved". */
export function describeSolve({ solve, completeness }: SolveSummary): SolveDescription {
  if (solve !== 'solved') return { ...IN_PROGRESS[solve], isFailure: solve === 'failed' }
  if (!completeness)
    return {
      label: 'Solved, not checked',
      color: 'gray',
      sentence:
        'An earlier version of Meadow made this solution and did not record whether it is complete. Solve the document again to find out.',
      isFailure: false,
    }
  const { isComplete, valuesComplete, nodes, solved, failed } = completeness
  const isSolved = isComplete && failed === 0
  const sentence = isSolved
    ? nodes === 1
      ? 'The only node is solved.'
      : `All ${write(nodes)} nodes are solved.`
    : [
        `${write(solved)} of ${count(nodes, 'node')} ${solved === 1 ? 'is' : 'are'} solved.`,
        ...describeRest(completeness),
      ].join(' ')
  if (isSolved) return { label: 'Solved', color: 'meadow', sentence, isFailure: false }
  if (isComplete)
    return { label: `${count(failed, 'node')} failed`, color: 'red', sentence, isFailure: false }
  if (valuesComplete && failed === 0)
    return { label: 'Values solved', color: 'meadow', sentence, isFailure: false }
  const label = `Partial: ${write(solved)} of ${count(nodes, 'node')}`
  return { label, color: 'violet', sentence, isFailure: false }
}

const PREVIEW = 'What is shown was computed in this window. It is not stored, and costs no credits.'

/** Describes the state while a preview is shown, which never looks like a solution. */
export function describePreview({ solve }: SolveSummary): SolveDescription {
  if (solve === 'failed') {
    const sentence = `${PREVIEW} The last solve on the server failed.`
    return { label: 'Preview, solve failed', color: 'red', sentence, isFailure: false }
  }
  const isSolving = solve === 'queued' || solve === 'running'
  const sentence = `${PREVIEW} ${isSolving ? 'The server is solving the document.' : 'The server solves the document when it comes to rest.'}`
  return { label: isSolving ? 'Preview, solving' : 'Preview', color: 'blue', sentence, isFailure: false }
}

const describeRest = ({
  failed,
  unsupported,
  unknown,
  valuesComplete,
}: NonNullable<SolveSummary['completeness']>): string[] => [
  ...(unsupported > 0
    ? [
        `Meadow cannot solve ${write(unsupported)}${valuesComplete ? ', without outputs, so that no value is missing' : ''}.`,
      ]
    : []),
  ...(unknown > 0
    ? [`${write(unknown)} ${unknown === 1 ? 'depends' : 'depend'} on what is not solved.`]
    : []),
  ...(failed > 0 ? [`${write(failed)} ${failed === 1 ? 'has' : 'have'} an error.`] : []),
]

const write = (number: number): string => number.toLocaleString('en')

/**
 * Says why the model and the values of an incomplete solution are not all of the document; undefined for other
 * solutions.
 */
export function describeGap({ solve, completeness }: SolveSummary): string | undefined {
  if (solve !== 'solved' || !completeness) return undefined
  const { isComplete, failed } = completeness
  return isComplete && failed === 0 ? undefined : describeSolve({ solve, completeness }).sentence
}

/** Says why there is no geometry to show. `isGap`: nodes that are not solved may be the reason. */
export function describeNoGeometry(summary: SolveSummary): { sentence: string; isGap: boolean } {
  const { solve } = summary
  if (solve === 'never')
    return { sentence: 'The geometry appears here when the document is solved.', isGap: false }
  if (solve === 'queued' || solve === 'running')
    return { sentence: 'The geometry appears here as soon as the document is solved.', isGap: false }
  if (solve === 'failed')
    return { sentence: 'There is no geometry, because the last solve failed.', isGap: true }
  const gap = describeGap(summary)
  return gap
    ? { sentence: `There is no geometry to show, because the solution is not complete. ${gap}`, isGap: true }
    : { sentence: 'There is no geometry to show.', isGap: false }
}
