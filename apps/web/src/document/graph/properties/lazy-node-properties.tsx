import { Drawer } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { ApiError } from '../../../api/call.ts'
import { Failure } from '../../../shell/failure.tsx'
import type { NodePropertiesProps } from './node-properties.tsx'

// A browser does not request a module again that failed to load.
const NOT_LOADED = new ApiError(0, 'The properties cannot be shown: reload the page once the server answers.')

/** In a chunk of its own. The page around it stays when the chunk cannot be loaded. */
const Loaded = lazy(() =>
  import('./node-properties.tsx').then(
    ({ NodeProperties }) => ({ default: NodeProperties }),
    () => ({ default: NotLoaded }),
  ),
)

/** The properties of a node, which are loaded when they are opened first. */
export function LazyNodeProperties(props: NodePropertiesProps) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  )
}

function NotLoaded({ close }: NodePropertiesProps) {
  return (
    <Drawer opened onClose={close} position="right" title="Properties">
      <Failure error={NOT_LOADED} />
    </Drawer>
  )
}
