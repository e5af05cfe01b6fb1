import { StoredBody } from '../../http/responses/response-body.ts'
import type { BodyMaker } from './bodies/body-maker.ts'
import type { SolutionForm } from './read-form.ts'
import type { StoredForms, StoredSolution } from './stored-solution.ts'

/**
 * The body of a solution in the form that was asked for. Where geometry cannot be had it is the body without, which
 * says so itself (contract, part 4). The entity tags of all forms differ.
 */
export async function findBody(
  solution: StoredSolution,
  form: SolutionForm,
  bodies: BodyMaker,
): Promise<StoredBody> {
  const made = form === 'values' ? undefined : await bodies.get(solution, form)
  if (!made) return toBody(solution.id, solution.values)
  return toBody(`${solution.id}.${form}${made.isWhole ? '' : '-without-geometry'}`, made.forms)
}

export const toBody = (tag: string, { gzip, zstd, bytes }: StoredForms, type?: string) =>
  new StoredBody(`"${tag}"`, bytes, { gzip, zstd }, type)
