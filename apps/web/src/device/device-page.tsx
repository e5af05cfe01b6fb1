import { Alert, Anchor, Button, Code, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { canMakeTokens } from '@meadow/contract'
import {
  type AppResponse,
  confirmDevice,
  listApiTokens,
  lookAtDevice,
  type Me,
  type Membership,
  refuseDevice,
  type TokenPolicy,
} from '@meadow/contract/web'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call, errorMessage } from '../api/call.ts'
import { meQuery, queryOf } from '../api/queries.ts'
import {
  isNewTokenIncomplete,
  NewTokenFields,
  newTokenValues,
  readNewToken,
} from '../settings/tokens/new-token-fields.tsx'
import { Failure } from '../shell/failure.tsx'
import { Problem, useForm } from '../shell/form.tsx'
import { Loading } from '../shell/loading.tsx'
import { When } from '../shell/when.tsx'
import { CardPage } from '../sign-in/card-page.tsx'
import { SignInForm } from '../sign-in/sign-in-form.tsx'

/** The page on which a person lets a program fetch an API token, or refuses it: one that shows a code, or sent them here. */
export function DevicePage() {
  const [search, setSearch] = useSearchParams()
  const code = formatCode(search.get('code') ?? '')
  const me = useQuery(meQuery)
  return (
    <CardPage title="Sign in a program" maxWidth={560}>
      {me.isLoadingError ? (
        <Failure error={me.error} retry={me.refetch} />
      ) : me.isPending ? (
        <Loading />
      ) : !me.data ? (
        <>
          <Text>Sign in first. Then you see which program asks, and decide.</Text>
          <SignInForm to={`/device?${search}`} />
        </>
      ) : code === '' ? (
        <CodeForm enter={(entered) => setSearch({ code: entered })} />
      ) : (
        <WaitingProgram
          key={code}
          code={code}
          me={me.data}
          enter={(entered) => setSearch({ code: entered })}
        />
      )}
    </CardPage>
  )
}

/** Writes a code as programs show it: `WDJB-MJHT`. */
function formatCode(text: string): string {
  const letters = text.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return letters.replace(/^(.{4})(.)/, '$1-$2')
}

function CodeForm({ entered = '', enter }: { entered?: string; enter: (code: string) => void }) {
  const [text, setText] = useState(entered)
  const code = formatCode(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter(code)
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        label="Code"
        description="The program shows it: eight letters"
        required
        autoFocus
        onFocus={({ currentTarget }) => currentTarget.select()}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" mt="lg" fullWidth disabled={code === ''}>
        Continue
      </Button>
    </form>
  )
}

interface WaitingProgramProps {
  code: string
  me: Me
  /** Goes on with another code. */
  enter: (code: string) => void
}

/** Shows which program waits with a code, and what became of it. */
function WaitingProgram({ code, me, enter }: WaitingProgramProps) {
  const [outcome, setOutcome] = useState<ReactNode>()
  const device = useQuery({
    queryKey: [lookAtDevice.path, code],
    queryFn: () => call(lookAtDevice, { body: { code } }),
    retry: false,
    // A code that was decided is an error, so it is not read again when the window gets the focus.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (outcome) return outcome
  if (device.isPending) return <Loading />
  if (device.isError)
    return (
      <>
        <Alert color="red" role="alert">
          {errorMessage(device.error)}
        </Alert>
        <CodeForm entered={code} enter={(next) => (next === code ? void device.refetch() : enter(next))} />
      </>
    )
  return <Decision code={code} device={device.data} me={me} setOutcome={setOutcome} />
}

interface DecisionProps {
  code: string
  device: AppResponse<typeof lookAtDevice>
  me: Me
  setOutcome: (outcome: ReactNode) => void
}

function Decision({ code, device, me, setOutcome }: DecisionProps) {
  const teams = me.teams.filter((team) => canMakeTokens(team.role) && !team.needsSecondFactor)
  const [team, setTeam] = useState(teams[0])
  const refusing = useMutation({
    mutationFn: () => call(refuseDevice, { body: { code } }),
    onSuccess: ({ redirect }) => {
      setOutcome(<Alert role="status">Refused. The program gets no token.</Alert>)
      leaveFor(redirect)
    },
  })
  const refuse = (
    <Button variant="default" loading={refusing.isPending} onClick={() => refusing.mutate()}>
      Refuse
    </Button>
  )
  return (
    <>
      {device.client ? (
        <AboutClient program={device.program} client={device.client} />
      ) : (
        <AboutDevice code={code} device={device} />
      )}
      <Text size="sm" className="long-text">
        You are signed in as {me.person.email}.
      </Text>
      <Problem error={refusing.error} />
      {team === undefined ? (
        <>
          <Alert color="red">You are in no team in which you may create API tokens.</Alert>
          <Group justify="flex-end">{refuse}</Group>
        </>
      ) : (
        <>
          <Select
            label="Team"
            data={teams.map(({ id, name }) => ({ value: id, label: name }))}
            allowDeselect={false}
            value={team.id}
            onChange={(id) => setTeam(teams.find((one) => one.id === id))}
          />
          <TokenOfTeam key={team.id} {...{ code, device, team, refuse, setOutcome }} />
        </>
      )}
    </>
  )
}

/** Takes the browser to where a program waits for its answer. */
function leaveFor(redirect: string | null): void {
  if (redirect !== null) window.location.replace(redirect)
}

/** Says what is known of a program that shows a code. */
function AboutDevice({ code, device }: Pick<DecisionProps, 'code' | 'device'>) {
  return (
    <>
      <Text className="long-text">
        A program that calls itself <b>{device.program}</b> asks for an API token of one of your teams. It has
        to show this code:
      </Text>
      <Code fz={28} p="sm" ta="center" aria-label="The code to compare">
        {code}
      </Code>
      <Group gap={4}>
        <Text size="sm" c="dimmed">
          Asked from {device.address},
        </Text>
        <When at={device.askedAt} />
      </Group>
      <Alert color="yellow" title="Did you start this program yourself?">
        Confirm only if you see this code in it now. If somebody sent you the code or a link, refuse: they
        would read your team’s documents.
      </Alert>
    </>
  )
}

interface AboutClientProps {
  program: string
  client: NonNullable<DecisionProps['device']['client']>
}

/** Says what is known of a program that sent the person here. */
function AboutClient({ program, client: { id, redirectUri, resource } }: AboutClientProps) {
  const [answer, use] = [new URL(redirectUri), new URL(resource)]
  const isHere = answer.protocol === 'http:'
  return (
    <>
      <Text className="long-text">
        A program of <b>{new URL(id).host}</b> that calls itself <b>{program}</b> asks for an API token of one
        of your teams.
      </Text>
      <Text size="sm" className="long-text">
        It gets the token at <b>{answer.host}</b>
        {isHere && ' on this computer'}
        {use.origin !== window.location.origin && (
          <>
            {' '}
            and uses it at <b>{use.host}</b>
          </>
        )}
        .
      </Text>
      <Alert color="yellow" title="Did you ask it to connect just now?">
        If somebody sent you a link to this page, refuse: they would read your team’s documents.
        {isHere && ' Any program on this computer can call itself so.'}
      </Alert>
    </>
  )
}

interface TokenOfTeamProps extends Pick<DecisionProps, 'code' | 'device' | 'setOutcome'> {
  team: Membership
  /** The button that refuses. */
  refuse: ReactNode
}

function TokenOfTeam({ team, ...props }: TokenOfTeamProps) {
  // Not kept: the settings, to which the page leads, show the new token too.
  const tokens = useQuery({ ...queryOf(listApiTokens, { params: [team.id] }), gcTime: 0 })
  if (tokens.isLoadingError) return <Failure error={tokens.error} retry={tokens.refetch} />
  if (tokens.isPending) return <Loading />
  return <ConfirmForm team={team} policy={tokens.data.policy} {...props} />
}

function ConfirmForm({
  code,
  device,
  team,
  policy,
  refuse,
  setOutcome,
}: TokenOfTeamProps & { policy: TokenPolicy }) {
  const form = useForm(
    newTokenValues(policy, device.program, device.client?.scopes),
    (values) =>
      call(confirmDevice, { params: [team.id], body: { code, token: readNewToken(values, policy) } }),
    ({ redirect }) => {
      setOutcome(
        <>
          <Alert color="meadow" role="status" title="Confirmed" className="long-text">
            The program fetches its token for {team.name} within seconds. You can close this page.
          </Alert>
          <Anchor component={Link} to={`/teams/${team.id}/settings/tokens`} ta="center">
            API tokens of {team.name}
          </Anchor>
        </>,
      )
      leaveFor(redirect)
    },
  )
  return (
    <Stack component="form" gap="md" onSubmit={form.submit}>
      <NewTokenFields team={team} policy={policy} form={form} />
      <Problem error={form.error} />
      <Group justify="flex-end">
        {refuse}
        <Button type="submit" loading={form.isBusy} disabled={isNewTokenIncomplete(form.values)}>
          Confirm
        </Button>
      </Group>
    </Stack>
  )
}
