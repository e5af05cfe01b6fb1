import {
  Badge,
  Button,
  Group,
  Select,
  Stack,
  Switch,
  Table,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core'
import type { MemberRole } from '@meadow/contract'
import {
  changeMember,
  changeTeamSecurity,
  listMembers,
  type Member,
  type Membership,
  readTeamSettings,
  removeMember,
} from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call, errorMessage } from '../api/call.ts'
import { meQuery, queryOf } from '../api/queries.ts'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'
import { Failure } from '../shell/failure.tsx'
import { Loading } from '../shell/loading.tsx'
import { useMe } from '../shell/use-me.ts'
import { When } from '../shell/when.tsx'
import { Invitations } from './invitations.tsx'
import { ROLES } from './roles.ts'

/** The members of the team, and its invitations. */
export function MembersSection({ team }: { team: Membership }) {
  const members = useQuery(queryOf(listMembers, { params: [team.id] }))
  if (members.isLoadingError) return <Failure error={members.error} retry={members.refetch} />
  return (
    <Stack>
      {members.isPending && <Loading />}
      {members.data && (
        <div className="stacked-table">
          <Table verticalSpacing="sm" aria-label="Members">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th>Since</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {members.data.members.map((member) => (
                <MemberRow key={member.id} member={member} team={team} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {team.role === 'owner' && (
        <>
          <RequireSecondFactor team={team} />
          <Title order={2} size="h4" mt="md">
            Invitations
          </Title>
          <Invitations team={team} />
        </>
      )}
    </Stack>
  )
}

/** The switch with which owners require a second factor. */
function RequireSecondFactor({ team }: { team: Membership }) {
  const settings = useQuery(queryOf(readTeamSettings, { params: [team.id] }))
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (requiresSecondFactor: boolean) =>
      call(changeTeamSecurity, { params: [team.id], body: { requiresSecondFactor } }),
    onSettled: () => queryClient.invalidateQueries(),
  })
  return (
    <Switch
      label="Require a second factor of all members"
      description="Who has none sees nothing of the team until they have set one up. API tokens go on."
      checked={settings.data?.team.requiresSecondFactor ?? false}
      disabled={!settings.data || change.isPending}
      error={change.error && errorMessage(change.error)}
      onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
    />
  )
}

function MemberRow({ member, team }: { member: Member; team: Membership }) {
  const me = useMe()
  const isMe = member.id === me.person.id
  const isOwner = team.role === 'owner'
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (role: MemberRole) => call(changeMember, { params: [team.id, member.id], body: { role } }),
    onSettled: () => queryClient.invalidateQueries(),
  })
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6}>
          <Text fw={500}>{member.name}</Text>
          {isMe && <Badge size="sm">you</Badge>}
        </Group>
        <Group gap={6}>
          <Text size="sm" c="dimmed">
            {member.email}
          </Text>
          {!member.isEmailConfirmed && (
            <Badge size="sm" variant="light" color="gray">
              address not confirmed
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td data-label="Role">
        {isOwner ? (
          <Select
            aria-label={`Role of ${member.name}`}
            size="xs"
            w={130}
            data={ROLES}
            value={member.role}
            allowDeselect={false}
            error={change.error?.message}
            disabled={change.isPending}
            onChange={(role) => role && change.mutate(role as MemberRole)}
          />
        ) : (
          member.role
        )}
        {member.isRoleFromProvider && (
          <Text size="xs" c="dimmed" maw={260} mt={4}>
            By the identity provider.
            {isOwner && ' A role that you choose stays, but their next sign-in may raise it again.'}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Since">
        <When at={member.since} />
      </Table.Td>
      <Table.Td ta="right">
        {(isOwner || isMe) && <RemoveButton member={member} team={team} isMe={isMe} />}
      </Table.Td>
    </Table.Tr>
  )
}

function RemoveButton({ member, team, isMe }: { member: Member; team: Membership; isMe: boolean }) {
  const [isAsking, setIsAsking] = useState(false)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const action = isMe ? 'Leave' : 'Remove'
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        aria-label={isMe ? 'Leave the team' : `Remove ${member.name}`}
        onClick={() => setIsAsking(true)}
      >
        {action}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        close={() => setIsAsking(false)}
        title={isMe ? `Leave ${team.name}?` : `Remove ${member.name}?`}
        text={`API tokens that ${isMe ? 'you' : 'they'} created for this team stop working.${
          member.isRoleFromProvider
            ? ` The identity provider gave the role: the next sign-in through it may bring ${isMe ? 'you' : 'them'} back.`
            : ''
        }`}
        action={action}
        run={async () => {
          await call(removeMember, { params: [team.id, member.id] })
          setIsAsking(false)
          await queryClient.invalidateQueries({ queryKey: [isMe ? meQuery.queryKey[0] : listMembers.path] })
          if (isMe) await navigate('/')
        }}
      />
    </>
  )
}
