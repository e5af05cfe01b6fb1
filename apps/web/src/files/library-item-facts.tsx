import { Stack, Text } from '@mantine/core'
import type { ClusterFacts, UserObjectFacts } from '@meadow/contract/web'
import { type Fact, FactList } from './fact-list.tsx'
import styles from './library-item-facts.module.css'

/** What a user object or cluster says about itself. */
export const LibraryItemFacts = ({ facts }: { facts: UserObjectFacts | ClusterFacts }) => (
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
    ...(nodes === null ? [] : [{ name: 'Contents', value: `${nodes} ${nodes === 1 ? 'node' : 'nodes'}` }]),
  ]
}

const listUserObjectFacts = ({ category, subcategory, componentName }: UserObjectFacts): Fact[] => [
  { name: 'Component tab', value: [category, subcategory].filter(Boolean).join(' › ') || 'None' },
  { name: 'Places', value: componentName ?? 'a component of a plug-in, or one that Meadow does not know' },
]
