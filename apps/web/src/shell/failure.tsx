import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { errorMessage } from '../api/call.ts'

/** Tells what went wrong where the thing itself would stand; `retry` asks for it again. */
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
