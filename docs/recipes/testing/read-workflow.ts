import { registerHooks } from 'node:module'
import { load } from '../../../checks/load.ts'

/**
 * Reads a workflow as GitHub does: the lines of its steps by their names, and what is wrong with it, which is nothing
 * for a valid one.
 */
export async function readWorkflow(
  content: string,
): Promise<{ errors: string[]; steps: Map<string, string> }> {
  using _ = acceptJson()
  const { convertWorkflowTemplate, isString, NoOperationTraceWriter, parseWorkflow } =
    await load('@actions/workflow-parser')
  const { context, value } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter())
  const workflow = value && (await convertWorkflowTemplate(context, value))
  const jobs: { type: string; steps: { name: unknown; run?: { value: string } }[] }[] = workflow?.jobs ?? []
  const steps = jobs.flatMap((job) => (job.type === 'job' ? job.steps : []))
  return {
    errors: context.errors.getErrors().map(readMessage),
    steps: new Map(
      steps.flatMap(({ name, run }) => (run && isString(run) ? [[String(name), run.value] as const] : [])),
    ),
  }
}

const readMessage = ({ message }: { message: string }): string => message

/** What is wrong with the metadata of an action (`action.yml`), as GitHub reads it; nothing for valid ones. */
export async function readAction(content: string): Promise<string[]> {
  using _ = acceptJson()
  const [{ parseAction }, { NoOperationTraceWriter }] = await Promise.all([
    load('@actions/workflow-parser/actions/action-parser'),
    load('@actions/workflow-parser'),
  ])
  const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter())
  return context.errors.getErrors().map(readMessage)
}

/** Until it is disposed of. The parser is made for bundlers: it imports JSON without saying that it is. */
function acceptJson(): Disposable {
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
  })
  return { [Symbol.dispose]: () => hooks.deregister() }
}
