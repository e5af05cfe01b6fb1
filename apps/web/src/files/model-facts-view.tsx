import { Alert, Badge, Group, Stack, Table, Text, Title, Tooltip } from '@mantine/core'
import type { ModelFacts, ModelLayer } from '@meadow/contract/web'
import type { ReactNode } from 'react'
import { IconEyeOff, IconLock } from '../shell/icons.ts'
import { When } from '../shell/when.tsx'
import {
  describeCount,
  describeOrigin,
  describeRest,
  describeUnits,
  describeUnread,
  nameOfLayer,
} from './describe-facts.ts'
import { type Fact, FactList } from './fact-list.tsx'
import styles from './model-facts-view.module.css'

/** What a model says about itself. */
export function ModelFactsView({ facts }: { facts: ModelFacts }) {
  const unread = describeUnread(facts)
  const { layers, blocks, materials, objects } = facts
  return (
    <Stack gap="xl">
      {unread && <Alert color="yellow">{unread}</Alert>}
      <FactList facts={listModelFacts(facts)} />
      {objects.length > 0 && (
        <Part title="Objects" count={facts.objectCount}>
          <Group gap={6}>
            {objects.map((counted) => (
              <Badge key={counted.type} variant="default" tt="none" fw={500} size="lg">
                {describeCount(counted)}
              </Badge>
            ))}
          </Group>
        </Part>
      )}
      {layers.length > 0 && (
        <Part title="Layers" count={facts.layerCount}>
          <Layers layers={layers} />
          <Rest shown={layers.length} all={facts.layerCount} />
        </Part>
      )}
      {blocks.length > 0 && (
        <Part title="Blocks" count={facts.blockCount}>
          <ul className={styles.list}>
            {blocks.map(({ name, objects: count, linkedFile }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change, and names repeat.
              <li key={i}>
                {name}{' '}
                <Text span size="sm" c="dimmed">
                  {linkedFile ? `linked to ${linkedFile}` : `${count} ${count === 1 ? 'object' : 'objects'}`}
                </Text>
              </li>
            ))}
          </ul>
          <Rest shown={blocks.length} all={facts.blockCount} />
        </Part>
      )}
      {materials.length > 0 && (
        <Part title="Materials" count={facts.materialCount}>
          <ul className={styles.list}>
            {materials.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
          <Rest shown={materials.length} all={facts.materialCount} />
        </Part>
      )}
      {facts.notes && (
        <Part title="Notes">
          <Text size="sm" className={styles.notes}>
            {facts.notes}
          </Text>
        </Part>
      )}
    </Stack>
  )
}

function listModelFacts(facts: ModelFacts): Fact[] {
  const { createdBy, createdAt, editedBy, editedAt, revision } = facts
  return [
    { name: 'Units', value: describeUnits(facts.units) },
    { name: 'Application', value: describeOrigin(facts) },
    ...(createdBy || createdAt ? [{ name: 'Created', value: <Deed by={createdBy} at={createdAt} /> }] : []),
    ...(editedBy || editedAt ? [{ name: 'Last saved', value: <Deed by={editedBy} at={editedAt} /> }] : []),
    ...(revision > 0 ? [{ name: 'Revision', value: revision.toLocaleString('en') }] : []),
  ]
}

const Deed = ({ by, at }: { by: string | null; at: string | null }) => (
  <Group gap={6}>
    {at && <When at={at} />}
    {by && <span>by {by}</span>}
  </Group>
)

const Part = ({ title, count, children }: { title: string; count?: number; children: ReactNode }) => (
  <section aria-label={title}>
    <Title order={2} size="h5" mb={8}>
      {title}{' '}
      {count !== undefined && (
        <Text span size="sm" c="dimmed" fw={400}>
          {count.toLocaleString('en')}
        </Text>
      )}
    </Title>
    {children}
  </section>
)

function Rest({ shown, all }: { shown: number; all: number }) {
  const rest = describeRest(shown, all)
  return (
    rest && (
      <Text size="sm" c="dimmed" mt={4}>
        {rest}
      </Text>
    )
  )
}

const Layers = ({ layers }: { layers: readonly ModelLayer[] }) => (
  <Table verticalSpacing={4} layout="fixed" aria-label="Layers">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Name</Table.Th>
        <Table.Th w={90} ta="right">
          Objects
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {layers.map((layer, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change, and damaged files repeat names.
        <Table.Tr key={i} title={layer.path}>
          <Table.Td>
            <div className={styles.layer} style={{ paddingInlineStart: 16 * Math.min(layer.depth, 8) }}>
              <span className={styles.colour} style={{ background: layer.colour }} />
              <span className={layer.visible ? styles.layerName : styles.hiddenLayer}>
                {nameOfLayer(layer.path)}
              </span>
              {!layer.visible && <Mark label="Hidden" icon={<IconEyeOff size={14} aria-hidden />} />}
              {layer.locked && <Mark label="Locked" icon={<IconLock size={14} aria-hidden />} />}
            </div>
          </Table.Td>
          <Table.Td ta="right" c={layer.objects === 0 ? 'dimmed' : ''}>
            {layer.objects.toLocaleString('en')}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

const Mark = ({ label, icon }: { label: string; icon: ReactNode }) => (
  <Tooltip label={label}>
    <span role="img" aria-label={label} className={styles.mark}>
      {icon}
    </span>
  </Tooltip>
)
