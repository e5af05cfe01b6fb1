import { Alert, Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import type { MemberRole } from '@meadow/contract'
import {
  createInvitation,
  type Invitation,
  listInvitations,
  type Membership,
  withdrawInvitation,
} from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { queryOf, waysToSignInQuery } from '../api/queries.ts'
import { CopyLine } from '../shell/copy-line.tsx'
import { Failure } from '../shell/failure.tsx'
import { Problem, useForm } from '../shell/form.tsx'
import { When } from '../shell/when.tsx'
import { ROLES } from './roles.ts'

/** Invitation links, each for one person. */
export function Invitations({ team }: { team: Membership }) {
  const invitations = useQuery(queryOf(listInvitations, { params: [team.id] }))
  if (invitations.isLoadingError) return <Failure error={invitations.error} retry={invitations.refetch} />
  const open = invitations.data?.invitations ?? []
  return (
    <Stack>
      <NewInvitation team={team} />
      {open.length > 0 && (
        <Table aria-label="Open invitations">
          <Table.Tbody>
            {open.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} team={team} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  )
}

function NewInvitation({ team }: { team: Membership }) {
  const ways = useQuery(waysToSignInQuery)
  const queryClient = useQueryClient()
  const form = useForm(
    { role: 'member' as MemberRole, note: '', email: '' },
    ({ email, ...body }) =>
      call(createInvitation, { params: [team.id], body: { ...body, email: email.trim() || null } }),
    (_, set) => {
      set({ note: '', email: '' })
      return queryClient.invalidateQueries({ queryKey: [listInvitations.path] })
    },
  )
  const invited = form.saved
  return (
    <Stack gap="sm">
      <Group component="form" align="end" onSubmit={form.submit}>
        <Select label="Role" w={130} data={ROLES} allowDeselect={false} {...form.choice('role')} />
        <TextInput label="For whom" description="A note for you" {...form.text('note')} />
        {ways.data?.mail && (
          <TextInput label="E-mail" description="The link is mailed" type="email" {...form.text('email')} />
        )}
        <Button type="submit" loading={form.isBusy}>
          {form.values.email.trim() === '' ? 'Create link' : 'Send invitation'}
        </Button>
      </Group>
      <Problem error={form.error} />
      {invited?.url === null && (
        <Alert color="meadow" className="long-text">
          The invitation is mailed to {invited.invitation.email}.
        </Alert>
      )}
      {invited?.url && (
        <Alert color="yellow" title="Send this link to one person. It is not shown again.">
          <CopyLine text={invited.url} testId="invitation" />
        </Alert>
      )}
    </Stack>
  )
}

function InvitationRow({ invitation, team }: { invitation: Invitation; team: Membership }) {
  const { id, role, note, email, createdBy, expiresAt } = invitation
  const queryClient = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => call(withdrawInvitation, { params: [team.id, id] }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [listInvitations.path] }),
  })
  return (
    <Table.Tr>
      <Table.Td className="long-text">
        <Text>{[note, email].filter(Boolean).join(', ') || 'Without a note'}</Text>
        <Text size="sm" c="dimmed">
          {role}, by {createdBy.name}
        </Text>
      </Table.Td>
      <Table.Td>
        expires <When at={expiresAt} />
      </Table.Td>
      <Table.Td ta="right">
        <Button
          size="xs"
          variant="subtle"
          color="red"
          loading={withdraw.isPending}
          aria-label={`Withdraw the invitation ${note}`}
          onClick={() => withdraw.mutate()}
        >
          Withdraw
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
