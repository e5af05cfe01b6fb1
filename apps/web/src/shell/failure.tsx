import { Alert, Button } from '@mantine/core'
import { errorMessage } from '../api/call.ts'
import { IconAlertTriangle } from './icons.ts'

/** An error, shown in place of content that could not be loaded. */
export function Failure({ error, retry }: { error: unknown; retry?: () => unknown }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" title={errorMessage(error)}>
      {retry && (
        <Button size="xs" variant="light" color="red" onClick={() => void retry()}>
          Try again
        </Button>
      )}
    </Alert>
  )
}
