import { Loader } from '@mantine/core'
import { createApiToken, listApiTokens, type Membership, type TokenPolicy } from '@meadow/contract/web'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Dialog } from '../../shell/dialog.tsx'
import { DialogForm } from '../../shell/form.tsx'
import { isNewTokenIncomplete, NewTokenFields, newTokenValues, readNewToken } from './new-token-fields.tsx'
import { SecretOnce } from './secret-once.tsx'

interface DialogProps {
  team: Membership
  /** The token policy of the team; undefined while it is loading. */
  policy: TokenPolicy | undefined
  isOpen: boolean
  close: () => void
}

/** Makes a token and shows its secret. */
export function NewTokenDialog({ team, policy, isOpen, close }: DialogProps) {
  return (
    <Dialog opened={isOpen} onClose={close} title="New API token" size="lg" closeOnClickOutside={false}>
      {policy ? <NewToken team={team} policy={policy} close={close} /> : <Loader aria-label="Loading" />}
    </Dialog>
  )
}

interface NewTokenProps {
  team: Membership
  policy: TokenPolicy
  close: () => void
}

function NewToken({ team, policy, close }: NewTokenProps) {
  const queryClient = useQueryClient()
  return (
    <DialogForm
      gap="md"
      action="Create token"
      close={close}
      initial={newTokenValues(policy)}
      isIncomplete={isNewTokenIncomplete}
      save={(values) => call(createApiToken, { params: [team.id], body: readNewToken(values, policy) })}
      onSaved={() => queryClient.invalidateQueries({ queryKey: [listApiTokens.path] })}
      done={({ secret }) => <SecretOnce secret={secret} close={close} />}
    >
      {(form) => <NewTokenFields team={team} policy={policy} form={form} />}
    </DialogForm>
  )
}
