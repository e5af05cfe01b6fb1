import { Alert, Button, CloseButton, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { IndexState } from '@meadow/contract'
import {
  findUses,
  formatUseReference,
  type Membership,
  MIN_SCRIPT_TEXT,
  readFolderTree,
  readUseReference,
  type SuggestedUse,
  suggestUses,
  USES_LIMIT,
  type UseKind,
  type UseReference,
} from '@meadow/contract/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { queryOf } from '../api/queries.ts'
import { count } from '../shell/count.ts'
import { Failure } from '../shell/failure.tsx'
import {
  IconBox,
  IconBuilding,
  IconCode,
  IconComponents,
  IconCube,
  IconFileVector,
  IconPackage,
  IconPlugConnected,
  IconSearch,
} from '../shell/icons.ts'
import { Loading } from '../shell/loading.tsx'
import { moveByArrows } from '../shell/move-by-arrows.ts'
import { NotFound } from '../shell/not-found.tsx'
import { useTeam } from '../shell/use-me.ts'
import { useTitle } from '../shell/use-title.ts'
import { When } from '../shell/when.tsx'
import {
  describeGaps,
  describeNodes,
  KIND_NAMES,
  listFolderChoices,
  usingNodesPath,
} from './describe-uses.ts'
import styles from './uses-page.module.css'

const DEBOUNCE_MS = 150
/** How often an answer is asked for again while documents are still being indexed. */
const REFETCH_MS = 2000

const ICONS: Record<UseKind, typeof IconBox> = {
  component: IconComponents,
  plugin: IconPlugConnected,
  cluster: IconBox,
  script: IconCode,
  language: IconCode,
  library: IconPackage,
  revit: IconBuilding,
  object: IconCube,
  model: IconCube,
  item: IconBox,
}

/** Which documents of a team use something. The address has what is searched for, so that it can be shared. */
export function UsesPage() {
  const team = useTeam()
  useTitle('Uses')
  return team ? <Uses key={team.id} team={team} /> : <NotFound what="team" />
}

function Uses({ team }: { team: Membership }) {
  const [parameters, setParameters] = useSearchParams()
  const reference = readUseReference(parameters.get('use') ?? '')
  const folderId = parameters.get('folder') ?? undefined
  const [text, setText] = useState(parameters.get('q') ?? '')
  const isChoosing = reference === undefined || text !== ''

  /** The address of this page with other parameters; null removes one. */
  const addressWith = (changes: Record<string, string | null>): string => {
    const changed = new URLSearchParams(parameters)
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) changed.delete(name)
      else changed.set(name, value)
    }
    return `?${changed}`
  }
  const linkTo = (use: UseReference) => addressWith({ use: formatUseReference(use), q: null })

  return (
    <Stack className={styles.page}>
      <div>
        <Title order={1} size="h2">
          Uses
        </Title>
        <Text c="dimmed" size="sm">
          Find the documents that use a component, a plug-in, a cluster, a script or a model, also inside
          clusters.
        </Text>
      </div>
      <search className={styles.filters} onKeyDown={moveByArrows}>
        <TextInput
          type="search"
          aria-label="Component, plug-in, cluster, model, or text in scripts"
          placeholder="Component, plug-in, cluster, model, or text in scripts"
          leftSection={<IconSearch size={16} />}
          rightSection={text && <CloseButton aria-label="Clear" onClick={() => setText('')} />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && setText('')}
        />
        <FolderFilter
          team={team}
          value={folderId}
          onChange={(id) => setParameters(addressWith({ folder: id }).slice(1), { replace: true })}
        />
        {isChoosing && (
          <Suggestions
            team={team}
            text={text}
            folderId={folderId}
            linkTo={linkTo}
            onChosen={() => setText('')}
          />
        )}
      </search>
      {!isChoosing && <Results team={team} reference={reference} folderId={folderId} linkTo={linkTo} />}
    </Stack>
  )
}

interface FolderFilterProps {
  team: Membership
  value: string | undefined
  onChange: (id: string | null) => void
}

function FolderFilter({ team, value, onChange }: FolderFilterProps) {
  const { data } = useQuery(queryOf(readFolderTree, { params: [team.id] }))
  return (
    <Select
      aria-label="Folder"
      placeholder="All folders"
      clearable
      searchable
      clearButtonProps={{ 'aria-label': 'All folders' }}
      nothingFoundMessage="No such folder."
      value={value ?? null}
      data={listFolderChoices(data?.folders ?? [])}
      onChange={onChange}
    />
  )
}

interface SuggestionsProps {
  team: Membership
  text: string
  folderId: string | undefined
  linkTo: (use: UseReference) => string
  onChosen: () => void
}

function Suggestions({ team, text, folderId, linkTo, onChosen }: SuggestionsProps) {
  const [q] = useDebouncedValue(text.trim(), DEBOUNCE_MS)
  const found = useQuery({
    ...queryOf(suggestUses, { params: [team.id], query: { q, ...(folderId && { folderId }) } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchAfter(state.data?.index),
  })
  const mayBeScript = text.trim().length >= MIN_SCRIPT_TEXT
  if (found.isError) return <Failure error={found.error} retry={found.refetch} />
  if (!found.data) return <Loading />
  const { suggestions, truncated, index } = found.data
  return (
    <section aria-label="Suggestions" style={{ gridColumn: '1 / -1' }}>
      <Gaps index={index} />
      {q === '' && suggestions.length > 0 && (
        <Title order={2} size="h4" mb={4}>
          Plug-ins
        </Title>
      )}
      <ul className={styles.list}>
        {mayBeScript && (
          <Hit kind="script" to={linkTo({ kind: 'script', key: text.trim() })} onClick={onChosen} counts="">
            <Words
              name={`Scripts that contain “${text.trim()}”`}
              note="In any language, in upper and lower case alike"
            />
          </Hit>
        )}
        {suggestions.map((use) => (
          <Hit
            key={formatUseReference(use)}
            kind={use.kind}
            to={linkTo(use)}
            onClick={onChosen}
            counts={countsOf(use)}
          >
            <Words
              name={use.name}
              // All are plug-ins when nothing is typed.
              note={q !== '' && [KIND_NAMES[use.kind], use.detail].filter(isNew).join(' · ')}
            />
          </Hit>
        ))}
      </ul>
      {suggestions.length === 0 && (
        <Text c="dimmed" p={8}>
          {q === '' ? 'No document uses a plug-in.' : `Nothing that documents use is called “${q}”.`}
        </Text>
      )}
      {truncated && (
        <Text size="sm" c="dimmed" p={8}>
          There is more: type more of the name.
        </Text>
      )}
    </section>
  )
}

const isNew = (part: string, index: number, parts: readonly string[]) =>
  part !== '' && parts.indexOf(part) === index

const countsOf = ({ documents, nodes }: Pick<SuggestedUse, 'documents' | 'nodes'>) =>
  `${count(documents, 'document')} · ${count(nodes, 'node')}`

const refetchAfter = (index: IndexState | undefined) => (index && index.pending > 0 ? REFETCH_MS : false)

interface HitProps {
  kind: UseKind | 'document'
  to: string
  counts: ReactNode
  children: ReactNode
  onClick?: () => void
}

function Hit({ kind, to, counts, children, onClick }: HitProps) {
  const Icon = kind === 'document' ? IconFileVector : ICONS[kind]
  return (
    <li className={styles.row}>
      <Link to={to} className={styles.hit} {...(onClick && { onClick })}>
        <Icon size={18} aria-hidden />
        <span className={styles.words}>{children}</span>
        <Text span size="sm" c="dimmed" className={styles.counts}>
          {counts}
        </Text>
      </Link>
    </li>
  )
}

const Words = ({ name, note }: { name: string; note: ReactNode }) => (
  <>
    {name}{' '}
    {note && (
      <Text span size="sm" c="dimmed" display="block">
        {note}
      </Text>
    )}
  </>
)

/** Says what is missing in an answer. */
function Gaps({ index }: { index: IndexState }) {
  const { pending, others } = describeGaps(index)
  return (
    <div role="status">
      {pending && (
        <Alert color="blue" mb="xs" py={8}>
          {pending}
        </Alert>
      )}
      {others && (
        <Text size="sm" c="dimmed" mb="xs">
          {others}
        </Text>
      )}
    </div>
  )
}

interface ResultsProps {
  team: Membership
  reference: UseReference
  folderId: string | undefined
  linkTo: (use: UseReference) => string
}

function Results({ team, reference, folderId, linkTo }: ResultsProps) {
  const found = useQuery({
    ...queryOf(findUses, { params: [team.id], query: { ...reference, ...(folderId && { folderId }) } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchAfter(state.data?.index),
  })
  if (found.isError) return <Failure error={found.error} retry={found.refetch} />
  if (!found.data) return <Loading />
  const { use, versions, documents, nodes, usedBy, index } = found.data
  return (
    <section aria-label="Documents">
      <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
        {use?.name ?? reference.key}
        {reference.version && ` ${reference.version}`}
      </Title>
      <Text c="dimmed" size="sm" mb="xs">
        {[KIND_NAMES[reference.kind], use?.detail ?? '', countsOf({ documents, nodes })]
          .filter(isNew)
          .join(' · ')}
      </Text>
      <Gaps index={index} />
      {versions.length > 0 && (
        <nav className={styles.versions} aria-label="Versions">
          {[undefined, ...versions].map((one) => (
            <Button
              key={one?.version ?? ''}
              component={Link}
              size="xs"
              variant={(one?.version ?? '') === (reference.version ?? '') ? 'filled' : 'default'}
              to={linkTo({ kind: 'plugin', key: reference.key, ...(one && { version: one.version }) })}
            >
              {one ? `${one.version} (${one.documents.toLocaleString('en')})` : 'All versions'}
            </Button>
          ))}
        </nav>
      )}
      {documents === 0 && (
        <Text c="dimmed" py="md">
          No document {folderId ? 'in this folder ' : ''}uses it.
        </Text>
      )}
      <ul className={styles.list}>
        {usedBy.map((document) => (
          <Hit
            key={document.id}
            kind="document"
            to={usingNodesPath(document.id, reference)}
            counts={describeNodes(document.nodes, document.nested)}
          >
            <Words
              name={document.name}
              note={
                <>
                  {document.isRoot ? team.name : document.folder.name} · <When at={document.updatedAt} />
                </>
              }
            />
          </Hit>
        ))}
      </ul>
      {documents > usedBy.length && (
        <Text size="sm" c="dimmed" p={8}>
          These are the {USES_LIMIT} documents that were changed last: choose a folder to see others.
        </Text>
      )}
    </section>
  )
}
