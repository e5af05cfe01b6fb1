import { type ComponentType, lazy, Suspense } from 'react'
import { ApiError } from '../api/call.ts'
import { Failure } from './failure.tsx'

/** Requests a module that exports a component by this name. */
export type LoadPart<Name extends string, Props> = () => Promise<{ [name in Name]: ComponentType<Props> }>

/**
 * Returns the component `name` of a module in a chunk of its own, which is requested when it is shown first.
 *
 * `Instead` takes the place of a component whose chunk cannot be loaded, so that the rest of the page goes on, with edits
 * that are not on the server yet. A component without it is a page: the former page stays until the chunk is loaded, and
 * the error page is shown when that fails.
 */
export function lazyPart<Name extends string, Props extends object>(
  load: LoadPart<Name, Props>,
  name: Name,
  Instead?: ComponentType<Props>,
): ComponentType<Props> {
  const Loaded: ComponentType<Props> = lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    const loading = load().then((module) => ({ default: module[name] }))
    return loading.catch(() => {
      if (Instead) return { default: Instead }
      throw new ApiError(0, 'This page could not be loaded. Check the connection and reload it.')
    })
  })
  if (!Instead) return Loaded
  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    )
  }
}

/** An error in place of a part of the page; `subject` begins its sentence, such as "The history". */
export const notLoaded = (subject: string) => () => {
  // A browser does not request a module again that failed to load.
  const text = `${subject} cannot be shown: reload the page once the server answers.`
  return <Failure error={new ApiError(0, text)} />
}
