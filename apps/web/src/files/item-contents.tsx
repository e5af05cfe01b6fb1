import { Loader, Text, Title } from '@mantine/core'
import { type AppFile, readFileContents } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../api/queries.ts'
import { ClusterPane } from '../document/cluster/cluster-pane.tsx'
import { ScriptSource } from '../document/graph/properties/script-source.tsx'
import { useViewState } from '../document/state/use-view-state.ts'
import styles from './item-contents.module.css'
import { findItemScript, openItem } from './open-item.ts'

/** What a user object or cluster file holds: the source of a script, or a graph. */
export function ItemContents({ file }: { file: AppFile }) {
  const viewState = useViewState()
  const query = useQuery({
    ...queryOf(readFileContents, { params: [file.id] }),
    staleTime: 60_000,
  })
  const script = query.data && findItemScript(query.data)
  return (
    <section aria-labelledby="contents">
      <Title order={2} size="h5" id="contents" mb={8}>
        Contents
      </Title>
      {query.isPending && <Loader aria-label="Loading" />}
      {query.isLoadingError && (
        <Text size="sm" role="alert">
          {query.error.message}
        </Text>
      )}
      {script && <ScriptSource script={script} />}
      {query.data && !script && (
        <div className={styles.graph}>
          <ClusterPane
            id={file.id}
            teamId={file.team.id}
            opened={openItem(file.name, query.data, viewState.clusterIds)}
            unsolvable={NONE}
            viewState={viewState}
          />
        </div>
      )}
    </section>
  )
}

const NONE: never[] = []
