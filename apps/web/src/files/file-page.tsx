import { Anchor, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { formatBytes } from '@meadow/contract'
import {
  type AppFile,
  type ClusterFacts,
  downloadFile,
  type FileFacts,
  findUses,
  isLibraryKind,
  readFile,
  readFileThumbnail,
  type TextFacts,
  type UserObjectFacts,
} from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { ApiError, urlOf } from '../api/call.ts'
import { queryOf } from '../api/queries.ts'
import { KIND_NAMES } from '../folders/items/file-icon.tsx'
import { FolderCrumbs } from '../folders/items/folder-crumbs.tsx'
import { ItemMenu } from '../folders/items/item-menu.tsx'
import { count } from '../shell/count.ts'
import { Failure } from '../shell/failure.tsx'
import { IconDownload } from '../shell/icons.ts'
import { lazyPart } from '../shell/lazy-part.tsx'
import { Loading } from '../shell/loading.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { useTitle } from '../shell/use-title.ts'
import { When } from '../shell/when.tsx'
import { describeGaps, usesPath, usingNodesPath } from '../uses/describe-uses.ts'
import { type Fact, FactList } from './fact-list.tsx'
import styles from './file-page.module.css'
import { ModelFactsView } from './model-facts-view.tsx'

/** Graphs and their library are loaded with the first library item. */
const ItemContents = lazyPart(() => import('./item-contents.tsx'), 'ItemContents')

/** A model, user object, cluster or text. */
export function FilePage() {
  const { fileId } = useParams()
  const query = useQuery(queryOf(readFile, { params: [fileId!] }))
  useTitle(query.data?.file.name)
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound what="file" />
  if (query.isError) return <Failure error={query.error} retry={query.refetch} />
  if (query.isPending) return <Loading />
  return <FileView file={query.data.file} />
}

function FileView({ file }: { file: AppFile }) {
  const navigate = useNavigate()
  const folder = `/teams/${file.team.id}/folders/${file.path.at(-1)!.id}`
  return (
    <Stack maw={1100} mx="auto" gap="lg">
      <FolderCrumbs label="Where this file is" teamId={file.team.id} path={file.path} />
      <Group justify="space-between" gap="sm">
        <Title order={1} size="h2" className={styles.name}>
          {file.name}
        </Title>
        <Group gap="xs" wrap="nowrap">
          <Button
            component="a"
            href={urlOf(downloadFile, [file.id])}
            download
            leftSection={<IconDownload size={16} />}
          >
            Download
          </Button>
          {file.role !== 'viewer' && (
            <ItemMenu
              item={{ kind: 'file', id: file.id, name: file.name }}
              teamId={file.team.id}
              onDeleted={() => void navigate(folder, { replace: true })}
            />
          )}
        </Group>
      </Group>
      <div className={styles.columns}>
        <Stack gap="lg" className={styles.aside}>
          <Picture file={file} />
          <FactList facts={listFileFacts(file)} />
          {file.facts.kind === 'model' && <Users file={file} />}
          {isLibraryKind(file.kind) && <ItemUsers file={file} />}
        </Stack>
        <div className={styles.main}>
          <Facts facts={file.facts} />
        </div>
      </div>
      {isLibraryKind(file.kind) && (
        <Suspense fallback={<Loading />}>
          <ItemContents file={file} />
        </Suspense>
      )}
    </Stack>
  )
}

function Facts({ facts }: { facts: FileFacts }) {
  switch (facts.kind) {
    case 'model':
      return <ModelFactsView facts={facts} />
    case 'text':
    case 'csv':
      return <TextFactsView facts={facts} />
    default:
      return <LibraryItemFacts facts={facts} />
  }
}

function Picture({ file }: { file: AppFile }) {
  const isModel = file.kind === 'model'
  if (!file.hasThumbnail)
    return isModel ? (
      <div className={styles.noPicture}>
        <Text c="dimmed" size="sm">
          This model was saved without a preview.
        </Text>
      </div>
    ) : null
  return (
    <img
      className={isModel ? styles.picture : styles.symbol}
      src={urlOf(readFileThumbnail, [file.id])}
      alt={isModel ? 'The model when it was last saved' : 'The icon'}
    />
  )
}

function listFileFacts({ kind, sizeBytes, createdAt, updatedAt, modifiedAt }: AppFile): Fact[] {
  return [
    { name: 'Kind', value: KIND_NAMES[kind] },
    { name: 'Size', value: formatBytes(sizeBytes) },
    { name: 'Changed here', value: <When at={updatedAt} /> },
    ...(modifiedAt === null ? [] : [{ name: 'File saved', value: <When at={modifiedAt} /> }]),
    { name: 'Imported', value: <When at={createdAt} /> },
  ]
}

function Users({ file: { usedBy } }: { file: AppFile }) {
  return (
    <section aria-labelledby="used-by">
      <Title order={2} size="h5" id="used-by" mb={4}>
        Used by
      </Title>
      {usedBy.length === 0 ? (
        <Text size="sm" c="dimmed">
          No document refers to an object of this model.
        </Text>
      ) : (
        <ul className={styles.users}>
          {usedBy.map(({ id, name }) => (
            <li key={id}>
              <Anchor component={Link} to={`/documents/${id}`} className={styles.user}>
                {name}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The beginning of a text, and how long it is. */
const TextFactsView = ({ facts: { lines, start } }: { facts: TextFacts }) => (
  <Stack gap="lg">
    <Text size="sm" c="dimmed">
      {count(lines, 'line')}. A document in this folder reads them with Read File, by the name of the file.
    </Text>
    <Code block>{start}</Code>
  </Stack>
)

/** What a user object or cluster says about itself. */
const LibraryItemFacts = ({ facts }: { facts: UserObjectFacts | ClusterFacts }) => (
  <Stack gap="lg">
    {facts.description && (
      <Text size="sm" className={styles.description}>
        {facts.description}
      </Text>
    )}
    <FactList facts={listFacts(facts)} />
  </Stack>
)

function listFacts(facts: UserObjectFacts | ClusterFacts): Fact[] {
  const { name, nickname, author, nodes } = facts
  return [
    { name: 'Name', value: name },
    ...(nickname && nickname !== name ? [{ name: 'Nickname', value: nickname }] : []),
    ...(facts.kind === 'user_object' ? listUserObjectFacts(facts) : []),
    ...(author ? [{ name: 'Author', value: author }] : []),
    ...(nodes === null ? [] : [{ name: 'Contents', value: count(nodes, 'node') }]),
  ]
}

const listUserObjectFacts = ({ category, subcategory, componentName }: UserObjectFacts): Fact[] => [
  { name: 'Component tab', value: [category, subcategory].filter(Boolean).join(' › ') || 'None' },
  { name: 'Places', value: componentName ?? 'a component of a plug-in, or one that Meadow does not know' },
]

const SHOWN = 50
/** How often an answer is asked for again while documents are still being indexed. */
const REFETCH_MS = 2000

/** The documents with nodes that have the name of a user object or cluster file. */
function ItemUsers({ file }: { file: AppFile }) {
  const reference = { kind: 'item', key: file.id } as const
  const { data } = useQuery({
    ...queryOf(findUses, { params: [file.team.id], query: reference }),
    refetchInterval: ({ state }) => (state.data && state.data.index.pending > 0 ? REFETCH_MS : false),
  })
  if (!data) return null
  const { pending, others } = describeGaps(data.index)
  const shown = data.usedBy.slice(0, SHOWN)
  return (
    <section aria-labelledby="used-by">
      <Title order={2} size="h5" id="used-by" mb={4}>
        Used by
      </Title>
      <Text size="sm" c="dimmed">
        {data.documents === 0
          ? 'No document has a node of its name. A node that was renamed, or that never had a name of its own, is not found.'
          : 'Nodes do not say which file they were placed from. These documents have one of its name:'}
      </Text>
      {shown.length > 0 && (
        <ul className={styles.users}>
          {shown.map(({ id, name }) => (
            <li key={id}>
              <Anchor component={Link} to={usingNodesPath(id, reference)} className={styles.user}>
                {name}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      {data.documents > shown.length && (
        <Anchor component={Link} size="sm" to={usesPath(file.team.id, reference)}>
          All {count(data.documents, 'document')}
        </Anchor>
      )}
      {[pending, others].map(
        (gap) =>
          gap !== undefined && (
            <Text key={gap} size="xs" c="dimmed" mt={4}>
              {gap}
            </Text>
          ),
      )}
    </section>
  )
}
