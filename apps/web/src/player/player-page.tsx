import { Alert, Button, Center, Loader, Stack, Text, Title } from '@mantine/core'
import type { AppDocument } from '@meadow/contract/web'
import { findServiceAddress, isEmbedded } from '../api/public-path.ts'
import { Failure } from '../shell/failure.tsx'
import { useTitle } from '../shell/use-title.ts'
import { describeNoGeometry, describeSolve } from '../solve-state/describe-solve.ts'
import { InputField } from './input-fields.tsx'
import { OutputList } from './output-list.tsx'
import { isRefusal, LazyPlayerView, Waiting } from './page-parts.tsx'
import styles from './player.module.css'
import { PlayerHeader } from './player-header.tsx'
import { SharedPlayer } from './shared-player.tsx'
import { type Player, usePlayer, usePlayerContent, usePlayerDocument } from './use-player.ts'
import { SEEN, ViewNotice } from './view-notice.tsx'

/** The page of a document for people who do not read graphs: chosen inputs, results and the 3D view. */
export function PlayerPage({ documentId }: { documentId: string }) {
  const query = usePlayerDocument(documentId)
  const document = query.data?.document
  const { graph, solution } = usePlayerContent(documentId, document?.updatedAt)
  useTitle(document?.name)
  // Any of the requests may be refused first, since all of them are repeated while the page is open.
  if ([query, graph, solution].some(({ error }) => isRefusal(error)))
    return <SharedPlayer documentId={documentId} wasShown={document !== undefined} />
  const failed = [query, graph, solution].find(({ isLoadingError }) => isLoadingError)
  if (failed)
    return (
      <main className={styles.alone}>
        <Failure error={failed.error} retry={failed.refetch} />
      </main>
    )
  if (!document || !graph.data || !solution.data)
    return (
      <Center component="main" h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    )
  return <LoadedPlayer document={document} content={graph.data.graph} solved={solution.data} />
}

type Content = Parameters<typeof usePlayer>[1]
type Solved = Parameters<typeof usePlayer>[2]

interface LoadedPlayerProps {
  document: AppDocument
  content: Content
  solved: Solved
}

function LoadedPlayer({ document, content, solved }: LoadedPlayerProps) {
  const player = usePlayer(document, content, solved)
  return (
    <div className={styles.page}>
      <PlayerHeader document={document} player={player} />
      <main className={styles.body}>
        <section
          className={styles.view}
          aria-label="Geometry"
          data-stale={!player.isCurrent || undefined}
          data-rough={player.isRough || undefined}
        >
          <LazyPlayerView
            scene={player.scene}
            isRough={player.isRough}
            hiddenIds={player.hiddenIds}
            empty={<NoGeometry player={player} solve={solved.solve} />}
          />
          <ViewNotice player={player} />
        </section>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: only to load in time what a change needs. */}
        <div className={styles.panel} onPointerEnter={player.prepare} onFocus={player.prepare}>
          <Notes document={document} player={player} solve={solved.solve} />
          <Inputs player={player} />
          <OutputList results={player.results} isCurrent={player.isCurrent} />
        </div>
      </main>
    </div>
  )
}

interface PartProps {
  player: Player
  solve: Solved['solve']
}

function NoGeometry({ player, solve }: PartProps) {
  if (player.error) return <Failure error={player.error} />
  if (player.isLoading || player.running) return <Waiting />
  const summary = {
    solve: player.seen === 'preview' ? ('solved' as const) : solve,
    completeness: player.completeness,
  }
  return <Text c="dimmed">{describeNoGeometry(summary).sentence}</Text>
}

function Inputs({ player }: { player: Player }) {
  const { inputs, values, change, serverPart, seen } = player
  return (
    <section aria-labelledby="inputs">
      <Title order={2} size="xs" className={styles.heading} id="inputs">
        Inputs
      </Title>
      {inputs.length === 0 && (
        <Text size="sm" c="dimmed">
          This document has no inputs to change.
        </Text>
      )}
      {inputs.length > 0 && serverPart && (
        <Alert color="gray" role="note" title="The inputs cannot be changed here" mb="md">
          <Text size="sm">
            {SERVER_PARTS[serverPart]} {seen === 'stored' && SEEN.stored}
          </Text>
        </Alert>
      )}
      <Stack gap="md">
        {inputs.map((input) => (
          <InputField
            key={input.port.portInstanceId}
            input={input}
            value={values.get(input) ?? input.value}
            isFixed={serverPart !== undefined}
            onChange={(value) => change(input, value)}
          />
        ))}
      </Stack>
    </section>
  )
}

const SERVER_PARTS: Record<NonNullable<Player['serverPart']>, string> = {
  cluster: 'The document has a cluster, which only the server can compute.',
  reference: 'The document refers to objects of a Rhino model, which only the server has.',
  'large value': 'The document holds more values than a browser is given.',
  node: 'The document has nodes that only the server can compute.',
}

/** Says what in the address was not possible, what the results lack and, to members, that nothing is pinned. */
function Notes({ document, player, solve }: PartProps & { document: AppDocument }) {
  const { notes, completeness, seen, isPinned } = player
  const summary = { solve: seen === 'preview' ? ('solved' as const) : solve, completeness }
  const { sentence, isFailure } = describeSolve(summary)
  const isGap = completeness !== null && (!completeness.isComplete || completeness.failed > 0)
  return (
    <>
      {notes.length > 0 && (
        <Alert color="orange" role="status" title="Not everything in the link could be used">
          {notes.slice(0, 5).map((note) => (
            <Text size="sm" key={note}>
              {note}
            </Text>
          ))}
          {notes.length > 5 && <Text size="sm">And {notes.length - 5} more.</Text>}
        </Alert>
      )}
      {seen !== 'nothing' && (isGap || isFailure) && (
        <Alert color={isGap ? 'violet' : 'red'} role="status" title="The results are not complete">
          <Text size="sm">{sentence}</Text>
        </Alert>
      )}
      {document.role && !isPinned && !isEmbedded() && (
        <Alert color="gray" role="status" title="Nothing is pinned">
          <Text size="sm">
            So this page shows every slider, list, toggle and panel that feeds something. Choose and order
            them under “Player” in the editor. Only members see this note.
          </Text>
          <Button
            component="a"
            href={`${findServiceAddress()}/documents/${document.id}`}
            size="xs"
            mt="xs"
            variant="default"
          >
            Open the editor
          </Button>
        </Alert>
      )}
    </>
  )
}
