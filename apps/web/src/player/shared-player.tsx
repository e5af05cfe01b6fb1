import { Alert, Center, Loader, Stack, Text, Title } from '@mantine/core'
import { type AppResponse, readPlayer } from '@meadow/contract/web'
import type { PlayerInput } from '@meadow/document'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../api/queries.ts'
import { Failure } from '../shell/failure.tsx'
import { useTitle } from '../shell/use-title.ts'
import { describeNoGeometry } from '../solve-state/describe-solve.ts'
import { InputField } from './input-fields.tsx'
import { OutputList } from './output-list.tsx'
import { isRefusal, LazyPlayerView, NotAvailable, Waiting } from './page-parts.tsx'
import styles from './player.module.css'
import { HeaderBar } from './player-header.tsx'
import { POLL_MS, useStoredScene } from './use-player.ts'

interface SharedPlayerProps {
  documentId: string
  /** Whether the document was shown before it was refused. */
  wasShown: boolean
}

/**
 * The player of a document that is shared as its player alone. It shows the stored solution: a browser that does not get the
 * graph cannot compute another one.
 */
export function SharedPlayer({ documentId, wasShown }: SharedPlayerProps) {
  const query = useQuery({
    ...queryOf(readPlayer, { params: [documentId] }),
    refetchInterval: POLL_MS,
  })
  const scene = useStoredScene(
    documentId,
    query.data?.solution?.geometry ? query.data.solution.id : undefined,
    query.data?.solution?.geometry ?? null,
  )
  useTitle(query.data?.name)
  if (isRefusal(query.error))
    return <NotAvailable documentId={documentId} wasShown={wasShown || query.data !== undefined} />
  if (query.isLoadingError)
    return (
      <main className={styles.alone}>
        <Failure error={query.error} retry={query.refetch} />
      </main>
    )
  if (!query.data)
    return (
      <Center component="main" h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    )
  const player = query.data
  const isCurrent = player.solution?.isCurrent ?? true
  return (
    <div className={styles.page}>
      <HeaderBar documentId={documentId} name={player.name}>
        <span className={styles.space} />
      </HeaderBar>
      <main className={styles.body}>
        <section className={styles.view} aria-label="Geometry" data-stale={!isCurrent || undefined}>
          <LazyPlayerView
            scene={player.solution?.geometry ? scene.data : undefined}
            isRough={false}
            hiddenIds={NOTHING_HIDDEN}
            empty={<NoGeometry player={player} scene={scene} />}
          />
        </section>
        <div className={styles.panel}>
          <Notes player={player} />
          <Inputs inputs={player.inputs} />
          <OutputList results={player.results} isCurrent={isCurrent} />
        </div>
      </main>
    </div>
  )
}

/** The scene leaves hidden nodes out. */
const NOTHING_HIDDEN: ReadonlySet<string> = new Set()

type Shown = AppResponse<typeof readPlayer>

function NoGeometry({ player, scene }: { player: Shown; scene: ReturnType<typeof useStoredScene> }) {
  if (scene.error && !scene.data) return <Failure error={scene.error} />
  if (scene.isFetching && !scene.data) return <Waiting />
  return <Text c="dimmed">{describeNoGeometry({ solve: player.solve, completeness: null }).sentence}</Text>
}

/** Says what the address, or what is seen, does not do. */
function Notes({ player: { solution } }: { player: Shown }) {
  return (
    <>
      {location.search.length > 1 && (
        <Alert color="orange" role="status" title="The values in the link cannot be used">
          <Text size="sm">This page shows the document as it is stored.</Text>
        </Alert>
      )}
      {solution && !solution.isCurrent && (
        <Alert color="orange" role="status" title="The results are of earlier values">
          <Text size="sm">The document has changed since it was solved.</Text>
        </Alert>
      )}
      {solution && !solution.isComplete && (
        <Alert color="violet" role="status" title="The results are not complete">
          <Text size="sm">Not everything in this document could be computed.</Text>
        </Alert>
      )}
    </>
  )
}

function Inputs({ inputs }: Pick<Shown, 'inputs'>) {
  if (inputs.length === 0) return null
  return (
    <section aria-labelledby="inputs">
      <Title order={2} size="xs" className={styles.heading} id="inputs">
        Inputs
      </Title>
      <Alert color="gray" role="note" title="The inputs cannot be changed here" mb="md">
        <Text size="sm">This link shows the stored solution, and nothing else of the document.</Text>
      </Alert>
      <Stack gap="md">
        {inputs.map(toInput).map((input) => (
          <InputField
            key={input.port.portInstanceId}
            input={input}
            value={input.value}
            isFixed
            onChange={ignore}
          />
        ))}
      </Stack>
    </section>
  )
}

/** Returns an input under a number instead of the ids of its port. */
const toInput = (input: Shown['inputs'][number], index: number): PlayerInput => ({
  ...input,
  port: { nodeInstanceId: String(index), portInstanceId: String(index) },
})

const ignore = () => {}
