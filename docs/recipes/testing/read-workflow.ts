import { registerHooks } from 'node:module'

/**
 * Reads a workflow as GitHub does: the lines of its steps by their names, and what is wrong with it, which is nothing
 * for a valid one.
 */
export async function readWorkflow(content: string) {
  using _ = acceptJson()
  const { convertWorkflowTemplate, isString, NoOperationTraceWriter, parseWorkflow } = await import(
    '@actions/workflow-parser'
  )
  const { context, value } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter())
  const workflow = value && (await convertWorkflowTemplate(context, value))
  const steps = (workflow?.jobs ?? []).flatMap((job) => (job.type === 'job' ? job.steps : []))
  return {
    errors: context.errors.getErrors().map(({ message }) => message),
    steps: new Map(
      steps.flatMap((step) =>
        'run' in step && isString(step.run) ? [[String(step.name), step.run.value] as const] : [],
      ),
    ),
  }
}

/** What is wrong with the metadata of an action (`action.yml`), as GitHub reads it; nothing for valid ones. */
export async function readAction(content: string): Promise<string[]> {
  using _ = acceptJson()
  const [{ parseAction }, { NoOperationTraceWriter }] = await Promise.all([
    import('@actions/workflow-parser/actions/action-parser'),
    import('@actions/workflow-parser'),
  ])
  const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter())
  return context.errors.getErrors().map(({ message }) => message)
}

/** Until it is disposed of. The parser is made for bundlers: it imports JSON without saying that it is. */
function acceptJson(): Disposable {
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
  })
  return { [Symbol.dispose]: () => hooks.deregister() }
}
