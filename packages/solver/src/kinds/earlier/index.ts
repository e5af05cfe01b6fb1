import type { Kind } from '../declaration/define-kind.ts'
import type { PortSpec } from '../declaration/ports.ts'
import { MATHS_KINDS } from '../maths/index.ts'
import { SET_KINDS } from '../sets/index.ts'
import { TEXT_KINDS } from '../text/index.ts'
import { TREE_KINDS } from '../trees/index.ts'

interface EarlierVersion {
  readonly guid: string
  readonly name: string
  /** The class of the present version, which computes the same from the same ports. */
  readonly of: string
  /** The ports of the earlier version, the first ones of the present version: `Name (nickname)`, `?` if optional. */
  readonly inputs?: readonly string[]
  readonly outputs?: readonly string[]
  /** Whether each further input has to have data. */
  readonly needsMore?: boolean
}

const MERGE = '3cadddef-1e2b-4c09-9390-0e8f78f7609f'
const STREAM = ['Stream (S)']

/**
 * Versions that files of earlier years hold, and that Grasshopper no longer offers. Listed are those whose ports are a
 * part of the ports of the present version and mean the same. Source of the ports: nodepen/nodes (MIT).
 */
const VERSIONS: readonly EarlierVersion[] = [
  ...[
    ['86866576-6cc0-485a-9cd2-6f7d493f57f7', 'Merge'],
    ['481f0339-1299-43ba-b15c-c07891a8f822', 'Merge 03'],
    ['b5be5d1f-717f-493c-b958-816957f271fd', 'Merge 04'],
    ['f4b0f7b4-5a10-46c4-8191-58d7d66ffdff', 'Merge 05'],
    ['ac9b4faf-c9d5-4f6a-a5e9-58c0c2cac116', 'Merge 06'],
    ['a70aa477-0109-4e75-ba73-78725dca0274', 'Merge 08'],
    ['22f66ff6-d281-453c-bd8c-36ed24026783', 'Merge 10'],
    ['0b6c5dac-6c93-4158-b8d1-ca3187d45f25', 'Merge Multiple'],
  ].map(([guid = '', name = '']) => ({ guid, name, of: MERGE, outputs: STREAM })),
  {
    guid: '06b3086c-1e9d-41c2-bcfc-bb843156196e',
    name: 'Simplify Tree',
    of: '1303da7b-e339-4e65-a051-82c4dce8224d',
    inputs: ['Tree (T)'],
    outputs: ['Tree (T)'],
  },
  {
    guid: '8a470a35-d673-4779-a65e-ba95765e59e4',
    name: 'Explode Tree',
    of: '74cad441-2264-45fe-a57d-85034751208a',
    inputs: ['Tree (T)'],
  },
  {
    guid: '3e5582a1-901a-4f7c-b58d-f5d7e3166124',
    name: 'Stream Filter',
    of: 'eeafc956-268e-461d-8e73-ee05c6f72c01',
    inputs: ['Gate (G)'],
    outputs: STREAM,
  },
  {
    guid: 'd6313940-216b-487f-b511-6c8a5b87eae7',
    name: 'Stream Gate',
    of: '71fcc052-6add-4d70-8d97-cfb37ea9d169',
    inputs: ['Stream (S)', 'Gate (G)'],
  },
  {
    guid: '4356ef8f-0ca1-4632-9c39-9e6dcd2b9496',
    name: "Pick'n'Choose",
    of: '03b801eb-87cd-476a-a591-257fe5d5bf0f',
    inputs: ['Pattern (P)'],
    outputs: ['Result (R)'],
  },
  {
    guid: '66fbaae1-0fcf-4dbf-bcba-4395d8f6a3e6',
    name: 'Null Item',
    of: 'c74efd0e-7fe3-4c2d-8c9d-295c5672fb13',
    inputs: ['Items (I)'],
    outputs: ['Null Flags (N)', 'Invalid Flags (X)'],
  },
  ...['2b2628ea-3f43-4ce9-8435-9a045d54b5c6', 'cacb2c64-61b5-46db-825d-c61d5d09cc08'].map((guid) => ({
    guid,
    name: 'Sort List',
    of: '6f93d366-919f-4dda-a35e-ba03dd62799b',
    inputs: ['Keys (K)'],
    outputs: ['List (L)'],
  })),
  {
    guid: '2cb4bf85-a282-464c-b42c-8e735d2a0a74',
    name: 'Create Set',
    of: '98c3c63a-e78a-43ea-a111-514fcf312c95',
    inputs: ['List (L)'],
    outputs: ['Set (S)'],
  },
  {
    guid: 'ab34845d-4ab9-4ff4-8870-eedd0c5594cb',
    name: 'Set Union',
    of: '8eed5d78-7810-4ba1-968e-8a1f1db98e39',
    inputs: ['Set A (A)', 'Set B (B)'],
    outputs: ['Union (U)'],
  },
  {
    guid: '8a55f680-cf53-4634-a486-b828de92b71d',
    name: 'Set Intersection',
    of: '82f19c48-9e73-43a4-ae6c-3a8368099b08',
    inputs: ['Set A (A)', 'Set B (B)'],
    outputs: ['Union (U)'],
  },
  {
    guid: '01cbd6e3-ccbe-4c24-baeb-46e10553e18b',
    name: 'Concatenate',
    of: '2013e425-8713-42e2-a661-b57e78840337',
    outputs: ['Result (R)'],
    needsMore: true,
  },
  {
    guid: 'c8203c3c-6bcd-4f8c-a906-befd92ebf0cb',
    name: 'Format',
    of: '758d91a0-4aec-47f8-9671-16739a8a2c5d',
    inputs: ['Format (F)'],
    outputs: ['Text (T)'],
  },
  {
    guid: 'bdd2a14a-1302-4152-a484-7198716d1a11',
    name: 'Text Case',
    of: 'b1991128-8bf1-4dea-8497-4b7188a64e9d',
    inputs: ['Text (T)'],
    outputs: ['Upper Case (U)', 'Lower Case (L)'],
  },
  {
    guid: '1ff80a00-1b1d-4fb3-926a-0c246261fc55',
    name: 'Sort Text',
    of: 'cec16c67-7b8b-41f7-a5a5-f675177e524b',
    inputs: ['Keys (K)', 'Values (V)?'],
    outputs: ['Keys (K)', 'Values (V)'],
  },
  {
    guid: 'fa314286-867b-41fa-a7f6-3f474197bb81',
    name: 'Remap Numbers',
    of: '2fcc2743-8339-4cdf-a046-a1f17439191d',
    inputs: ['Value (V)', 'Source (S)', 'Target (T)'],
    outputs: ['Result (R)'],
  },
  {
    guid: 'd18db32b-7099-4eea-85c4-8ba675ee8ec3',
    name: 'Addition',
    of: 'a0d62394-a118-422d-abb3-6af115c75b25',
    inputs: ['A', 'B'],
    outputs: ['Result (R)'],
  },
  {
    guid: 'e44c1bd7-72cc-4697-80c9-02787baf7bb4',
    name: 'Mass Multiplication',
    of: '921775f7-bf22-4cfc-a4db-c415a56069c4',
    inputs: ['Input (I)'],
    outputs: ['Result (R)', 'Partial Results (Pr)'],
  },
]

const PRESENT: ReadonlyMap<string, Kind> = new Map(
  [...TREE_KINDS, ...SET_KINDS, ...TEXT_KINDS, ...MATHS_KINDS].flatMap((kind) =>
    'type' in kind ? [] : kind.guids.map((guid) => [guid, kind] as const),
  ),
)

export const EARLIER_KINDS: readonly Kind[] = VERSIONS.map((version) => {
  const { guid, name, of, inputs = [], outputs = [], needsMore = false } = version
  const present = PRESENT.get(of)
  if (!present) throw new Error(`No kind ${of}`)
  const { moreInputs, ...kind } = present
  return {
    ...kind,
    guids: [guid],
    name,
    inputs: relabel(present.inputs, inputs),
    outputs: relabel(present.outputs, outputs),
    ...(moreInputs ? { moreInputs: { ...moreInputs, isOptional: !needsMore } } : {}),
  }
})

/** The first ports, under other names. */
function relabel(
  ports: Kind['inputs'],
  labels: readonly string[],
): readonly (readonly [key: string, port: PortSpec])[] {
  return labels.map((label, i) => {
    const [key, port] = ports[i] as (typeof ports)[number]
    const isOptional = label.endsWith('?')
    return [key, { ...port, label: isOptional ? label.slice(0, -1) : label, isOptional }]
  })
}
