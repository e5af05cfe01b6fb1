import { Anchor, Group, Loader, Radio, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import {
  type AppDocument,
  changeAppDocument,
  readAppDocument,
  readAppFolder,
  type Sharing,
  searchTeam,
} from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { findServiceAddress } from '../api/public-path.ts'
import { documentQuery } from '../api/queries.ts'
import { CopyLine } from '../shell/copy-line.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { Failure } from '../shell/failure.tsx'
import { Problem } from '../shell/form.tsx'
import { EMBED_SIZES, type EmbedPanes, type EmbedSizeName, embedUrl, writeEmbedCode } from './embed-code.ts'

export interface ShareDialogProps {
  documentId: string
  name: string
  isOpen: boolean
  close: () => void
}

/** Shows who can open a document, lets members change it, and has its link and embed code. */
export function ShareDialog({ documentId, name, isOpen, close }: ShareDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={close} title={`Share “${name}”`} size="lg">
      <SharingForm documentId={documentId} />
    </Dialog>
  )
}

function SharingForm({ documentId }: { documentId: string }) {
  const query = useQuery(documentQuery(documentId))
  if (query.isLoadingError) return <Failure error={query.error} retry={query.refetch} />
  if (!query.data) return <Loader aria-label="Loading" />
  const { document } = query.data
  return (
    <Stack>
      <WhoCanOpen document={document} />
      <section>
        <Title order={3} size="sm" mb={6}>
          Link
        </Title>
        <CopyLine text={`${findServiceAddress()}/documents/${document.id}`} testId="share-link" />
        <Text size="sm" mt="sm" mb={6}>
          The player, a page with chosen inputs for people who do not read graphs:
        </Text>
        <CopyLine text={`${findServiceAddress()}/play/${document.id}`} testId="player-link" />
        {document.visibility !== 'public' && (
          <Text size="sm" c="dimmed" mt={6}>
            {document.visibility === 'player'
              ? 'Only the player opens for everyone; the document is for members of the team.'
              : 'They open for members of the team who are signed in.'}
          </Text>
        )}
      </section>
      {document.visibility !== 'private' && <Embedding key={document.visibility} document={document} />}
    </Stack>
  )
}

const AFFECTED_QUERIES = [readAppDocument, readAppFolder, searchTeam].map(({ path }) => path)

/** The three choices, each with what it means. A choice is saved at once. */
function WhoCanOpen({ document }: { document: AppDocument }) {
  const queryClient = useQueryClient()
  // The choice that is being saved is shown already.
  const [chosen, setChosen] = useState<Sharing>()
  const change = useMutation({
    // Changes are saved one after the other, so that the last choice wins.
    scope: { id: `share ${document.id}` },
    mutationFn: (body: { visibility: Sharing; publicUntil?: string }) =>
      call(changeAppDocument, { params: [document.id], body }),
    // Queries stay as they are after a failure: a list without the document would take the dialog away, and the reason
    // with it.
    async onSuccess(changed) {
      queryClient.setQueryData(documentQuery(document.id).queryKey, changed)
      await Promise.all(AFFECTED_QUERIES.map((path) => queryClient.invalidateQueries({ queryKey: [path] })))
    },
    onSettled: (_changed, _error, saved) =>
      setChosen((current) => (current === saved.visibility ? undefined : current)),
  })
  const mayChange = document.role === 'owner' || document.role === 'member'
  const isAllowed = document.publicDocuments?.allowed !== false
  return (
    <>
      <Problem error={change.error} />
      <Radio.Group
        label="Who can open it"
        description={mayChange ? undefined : 'Only members and owners of the team can change this.'}
        value={chosen ?? document.visibility}
        onChange={(next) => {
          setChosen(next as Sharing)
          change.mutate({ visibility: next as Sharing })
        }}
      >
        <Stack gap="sm" mt="xs">
          <Radio
            value="private"
            label="Only the team"
            description={`The members of ${document.team?.name ?? 'the team'}, signed in.`}
            disabled={!mayChange}
          />
          <Radio
            value="player"
            styles={READABLE}
            label="Anyone with the player’s link"
            description={isAllowed ? PLAYER_EXPOSURE : NOT_ALLOWED}
            disabled={!mayChange || !isAllowed}
          />
          <Radio
            value="public"
            styles={READABLE}
            label="Anyone with the link"
            description={isAllowed ? EXPOSURE : NOT_ALLOWED}
            disabled={!mayChange || !isAllowed}
          />
        </Stack>
      </Radio.Group>
      {document.visibility !== 'private' && (
        <SharingEnd document={document} change={change.mutate} mayChange={mayChange} />
      )}
    </>
  )
}

/** Shows the last day on which the document is shared, which a member may change. */
function SharingEnd({
  document: { visibility, publicUntil, publicDocuments },
  change,
  mayChange,
}: {
  document: AppDocument
  change: (body: { visibility: Sharing; publicUntil: string }) => void
  mayChange: boolean
}) {
  const days = publicDocuments?.days ?? null
  const toDay = (time: number) => new Date(time).toISOString().slice(0, 10)
  return (
    <TextInput
      type="date"
      label="Until"
      description={
        publicUntil === null ? 'Without an end.' : 'At the end of this day it is only for the team again.'
      }
      value={publicUntil === null ? '' : toDay(Date.parse(publicUntil))}
      min={toDay(Date.now())}
      max={days === null ? undefined : toDay(Date.now() + days * DAY_MS)}
      readOnly={!mayChange}
      onChange={({ currentTarget: { value } }) => {
        if (value !== '') change({ visibility, publicUntil: `${value}T23:59:59.000Z` })
      }}
      maw={220}
    />
  )
}

const DAY_MS = 86_400_000

const NOT_ALLOWED =
  'The team does not allow public documents. An owner can allow them in the settings of the team.'

/** The line height of descriptions, which are set tight by default. */
const READABLE = { description: { lineHeight: 1.45 } }

/** What a document that is shared as its player shows to visitors (APP-15). */
const PLAYER_EXPOSURE =
  'They see its name, the pinned inputs and results, and the geometry, as they are stored, and cannot try other values. ' +
  'The graph, its scripts and all other values stay hidden.'

/** What a public document shows to visitors (APP-13). */
const EXPOSURE = (
  <>
    Without signing in they see its name, the graph with all values, texts and script sources, and the
    geometry, now and after each change.
    <br />
    They cannot edit or solve it, or download it as a file. The team, its people, its folders and all other
    documents stay hidden.
  </>
)

const SIZE_LABELS: Record<EmbedSizeName, string> = {
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
  full: 'Full width',
}

/** The code that shows the document on another page. */
function Embedding({ document: { id, name, visibility } }: { document: AppDocument }) {
  const [size, setSize] = useState<EmbedSizeName>('medium')
  const [panes, setPanes] = useState<EmbedPanes | 'player'>(visibility === 'player' ? 'player' : 'both')
  const options = { address: findServiceAddress(), documentId: id, panes }
  const { width, height } = EMBED_SIZES[size]
  return (
    <section>
      <Title order={3} size="sm" mb={6}>
        On another page
      </Title>
      <Group gap="xs" mb="xs">
        {visibility === 'public' && (
          <SegmentedControl
            size="xs"
            aria-label="What the frame shows"
            value={panes}
            onChange={(next) => setPanes(next as EmbedPanes | 'player')}
            data={[
              { value: 'both', label: 'Both' },
              { value: 'graph', label: 'Graph' },
              { value: 'model', label: '3D' },
              { value: 'player', label: 'Player' },
            ]}
          />
        )}
        <SegmentedControl
          size="xs"
          aria-label="Size of the frame"
          value={size}
          onChange={(next) => setSize(next as EmbedSizeName)}
          data={Object.entries(SIZE_LABELS).map(([value, label]) => ({ value, label }))}
        />
      </Group>
      <CopyLine text={writeEmbedCode({ ...options, name, size: EMBED_SIZES[size] })} testId="embed-code" />
      <Text size="sm" c="dimmed" mt={6}>
        {width === '100%' ? `As wide as its column, ${height} pixels high` : `${width} × ${height} pixels`}.{' '}
        <Anchor href={embedUrl(options)} target="_blank" rel="noopener" size="sm" underline="always">
          Preview
        </Anchor>
      </Text>
    </section>
  )
}
