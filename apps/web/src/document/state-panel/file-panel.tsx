import { Anchor, Badge, Center, Loader, Text, UnstyledButton } from '@mantine/core'
import type { DocumentFile } from '@meadow/contract'
import type { ReactNode } from 'react'
import { count } from '../../shell/count.ts'
import { Failure } from '../../shell/failure.tsx'
import { When } from '../../shell/when.tsx'
import { useDocumentFile } from '../live/use-document-file.ts'
import { useEditor } from '../state/store.ts'
import {
  describeVersions,
  listAuthorFacts,
  listPluginUses,
  type NodesAt,
  type PluginUse,
} from './describe-file.ts'
import styles from './file-panel.module.css'
import { listUnsolved } from './list-findings.ts'
import { useChoose } from './state-panel.tsx'

/** What the file that a document was imported from says about itself. Members only. */
export function FilePanel() {
  const { document, content, solution, unsolvable } = useEditor()
  const query = useDocumentFile(document.id)
  if (query.isLoadingError) return <Failure error={query.error} retry={query.refetch} />
  if (!query.data)
    return (
      <Center p="md">
        <Loader size="sm" aria-label="Loading" />
      </Center>
    )
  const { file, clusters } = query.data
  if (!file)
    return (
      <Text size="sm" c="dimmed" p="sm">
        This document was made here. It has no file.
      </Text>
    )
  const unsolved = listUnsolved({ content, solution, unsolvable })
  const plugins = listPluginUses(file.plugins ?? [], content, clusters, unsolved)
  return (
    <div className={styles.tab}>
      <Head file={file} />
      {file.description && <Text className={styles.description}>{file.description}</Text>}
      <Facts file={file} />
      {file.plugins === undefined ? (
        <Text size="xs" c="dimmed">
          It was imported by an older version of Meadow, which did not read plug-ins, author and thumbnail.
          Import it again with <code>--force</code>.
        </Text>
      ) : (
        <section aria-label="Plug-ins">
          <Text fw={600} size="sm" mb={4}>
            {plugins.length === 0 ? 'Plug-ins: none' : `Plug-ins (${plugins.length})`}
          </Text>
          {plugins.map((plugin) => (
            <PluginEntry key={plugin.id} plugin={plugin} />
          ))}
        </section>
      )}
    </div>
  )
}

function Head({ file: { name, thumbnail } }: { file: DocumentFile }) {
  return (
    <div className={styles.head}>
      {thumbnail && (
        <img
          className={styles.thumbnail}
          src={`data:${thumbnail.mediaType};base64,${thumbnail.data}`}
          width={thumbnail.width}
          height={thumbnail.height}
          alt="The canvas when the file was saved"
        />
      )}
      <Text fw={600} size="sm" className={styles.name}>
        {name}
      </Text>
    </div>
  )
}

function Facts({ file }: { file: DocumentFile }) {
  const { createdAt, modifiedAt, savedName } = file
  const versions = describeVersions(file)
  return (
    <dl className={styles.facts}>
      {modifiedAt && (
        <Fact name="Changed">
          <When at={modifiedAt} />
        </Fact>
      )}
      {createdAt && (
        <Fact name="Created">
          <When at={createdAt} />
        </Fact>
      )}
      {versions && <Fact name="Saved with">{versions}</Fact>}
      {savedName && savedName !== file.name && <Fact name="Saved as">{savedName}</Fact>}
      {listAuthorFacts(file).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The number of clusters that are listed for one plug-in. */
const MAX_LOCATIONS = 6

function PluginEntry({ plugin }: { plugin: PluginUse }) {
  const choose = useChoose()
  const { name, version, author, locations, count, unsolved } = plugin
  return (
    <div className={styles.plugin}>
      <div className={styles.pluginHead}>
        <Text span size="sm" fw={500}>
          {name || 'Without a name'}
        </Text>
        <Text span size="xs" c="dimmed">
          {[version, author].filter(Boolean).join(' · ')}
        </Text>
        {unsolved > 0 && (
          <Badge
            size="xs"
            variant="light"
            color="violet"
            tt="none"
            {...(unsolved < count && { title: 'The others are solved, or disabled' })}
          >
            {unsolved < count ? `${unsolved} of ${count} not supported` : 'not supported'}
          </Badge>
        )}
      </div>
      {count === 0 && (
        <Text size="xs" c="dimmed">
          No nodes
        </Text>
      )}
      {locations.slice(0, MAX_LOCATIONS).map((location) => (
        <UnstyledButton
          key={location.clusterIds.join()}
          className={styles.location}
          onClick={() => choose({ clusterIds: location.clusterIds, nodeIds: location.nodeIds })}
        >
          <Anchor component="span" size="xs">
            {describeLocation(location)}
          </Anchor>
        </UnstyledButton>
      ))}
      {locations.length > MAX_LOCATIONS && (
        <Text size="xs" c="dimmed">
          And in {locations.length - MAX_LOCATIONS} more clusters.
        </Text>
      )}
    </div>
  )
}

const describeLocation = ({ nodeIds, clusters }: NodesAt): string =>
  [count(nodeIds.length, 'node'), clusters.join(' › ')].filter(Boolean).join(' in ')
