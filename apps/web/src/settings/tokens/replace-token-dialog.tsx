import { Radio, Stack, Text } from '@mantine/core'
import { TOKEN_OVERLAPS, type TokenOverlap } from '@meadow/contract'
import { type ApiToken, listApiTokens, type Membership, replaceApiToken } from '@meadow/contract/web'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { FormDialog } from '../../shell/form.tsx'
import { SecretOnce } from './secret-once.tsx'

const OVERLAP_LABELS: Record<TokenOverlap, string> = {
  0: 'at once',
  1: 'after an hour',
  24: 'after a day',
  168: 'after a week',
}

interface DialogProps {
  team: Membership
  token: ApiToken
  close: () => void
}

/** Makes a token that takes the place of another one, and shows its secret. */
export function ReplaceTokenDialog({ team, token, close }: DialogProps) {
  const queryClient = useQueryClient()
  return (
    <FormDialog
      title={`Replace “${token.name}”`}
      size="lg"
      gap="md"
      closeOnClickOutside={false}
      action="Create the new token"
      close={close}
      initial={{ overlapHours: 24 as TokenOverlap }}
      save={(body) => call(replaceApiToken, { params: [team.id, token.id], body })}
      onSaved={() => queryClient.invalidateQueries({ queryKey: [listApiTokens.path] })}
      done={({ secret }) => <SecretOnce secret={secret} close={close} />}
    >
      {({ values, set }) => (
        <>
          <Text size="sm">
            A new token with the same scopes, folders, addresses and web pages. Give its secret to the scripts
            while the old one still works. If the old secret leaked, revoke the token instead.
          </Text>
          <Radio.Group
            label="The old token ends"
            value={String(values.overlapHours)}
            onChange={(chosen) => set({ overlapHours: Number(chosen) as TokenOverlap })}
          >
            <Stack gap={6} mt={6}>
              {TOKEN_OVERLAPS.map((hours) => (
                <Radio key={hours} value={String(hours)} label={OVERLAP_LABELS[hours]} />
              ))}
            </Stack>
          </Radio.Group>
        </>
      )}
    </FormDialog>
  )
}
