import { findComponent } from '@meadow/document'
import type { Kind } from '../declaration/define-kind.ts'
import { MATHS_KINDS } from '../maths/index.ts'
import { SET_KINDS } from '../sets/index.ts'
import { TEXT_KINDS } from '../text/index.ts'
import { TREE_KINDS } from '../trees/index.ts'

/**
 * Versions that files of earlier years hold, and that Grasshopper no longer offers, by the class of the present version.
 * Listed are those whose ports are a part of the ports of the present version and mean the same.
 */
const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  // Merge
  '3cadddef-1e2b-4c09-9390-0e8f78f7609f': [
    '86866576-6cc0-485a-9cd2-6f7d493f57f7',
    '481f0339-1299-43ba-b15c-c07891a8f822',
    'b5be5d1f-717f-493c-b958-816957f271fd',
    'f4b0f7b4-5a10-46c4-8191-58d7d66ffdff',
    'ac9b4faf-c9d5-4f6a-a5e9-58c0c2cac116',
    'a70aa477-0109-4e75-ba73-78725dca0274',
    '22f66ff6-d281-453c-bd8c-36ed24026783',
    '0b6c5dac-6c93-4158-b8d1-ca3187d45f25',
  ],
  // Simplify Tree
  '1303da7b-e339-4e65-a051-82c4dce8224d': ['06b3086c-1e9d-41c2-bcfc-bb843156196e'],
  // Explode Tree
  '74cad441-2264-45fe-a57d-85034751208a': ['8a470a35-d673-4779-a65e-ba95765e59e4'],
  // Stream Filter
  'eeafc956-268e-461d-8e73-ee05c6f72c01': ['3e5582a1-901a-4f7c-b58d-f5d7e3166124'],
  // Stream Gate
  '71fcc052-6add-4d70-8d97-cfb37ea9d169': ['d6313940-216b-487f-b511-6c8a5b87eae7'],
  // Pick'n'Choose
  '03b801eb-87cd-476a-a591-257fe5d5bf0f': ['4356ef8f-0ca1-4632-9c39-9e6dcd2b9496'],
  // Null Item
  'c74efd0e-7fe3-4c2d-8c9d-295c5672fb13': ['66fbaae1-0fcf-4dbf-bcba-4395d8f6a3e6'],
  // Create Set
  '98c3c63a-e78a-43ea-a111-514fcf312c95': ['2cb4bf85-a282-464c-b42c-8e735d2a0a74'],
  // Set Union
  '8eed5d78-7810-4ba1-968e-8a1f1db98e39': ['ab34845d-4ab9-4ff4-8870-eedd0c5594cb'],
  // Set Intersection
  '82f19c48-9e73-43a4-ae6c-3a8368099b08': ['8a55f680-cf53-4634-a486-b828de92b71d'],
  // Concatenate
  '2013e425-8713-42e2-a661-b57e78840337': ['01cbd6e3-ccbe-4c24-baeb-46e10553e18b'],
  // Format
  '758d91a0-4aec-47f8-9671-16739a8a2c5d': ['c8203c3c-6bcd-4f8c-a906-befd92ebf0cb'],
  // Text Case
  'b1991128-8bf1-4dea-8497-4b7188a64e9d': ['bdd2a14a-1302-4152-a484-7198716d1a11'],
  // Sort Text
  'cec16c67-7b8b-41f7-a5a5-f675177e524b': ['1ff80a00-1b1d-4fb3-926a-0c246261fc55'],
  // Remap Numbers
  '2fcc2743-8339-4cdf-a046-a1f17439191d': ['fa314286-867b-41fa-a7f6-3f474197bb81'],
  // Addition
  'a0d62394-a118-422d-abb3-6af115c75b25': ['d18db32b-7099-4eea-85c4-8ba675ee8ec3'],
  // Sort List
  '6f93d366-919f-4dda-a35e-ba03dd62799b': [
    '2b2628ea-3f43-4ce9-8435-9a045d54b5c6',
    'cacb2c64-61b5-46db-825d-c61d5d09cc08',
  ],
}

const PRESENT: ReadonlyMap<string, Kind> = new Map(
  [...TREE_KINDS, ...SET_KINDS, ...TEXT_KINDS, ...MATHS_KINDS].flatMap((kind) =>
    'type' in kind ? [] : kind.guids.map((guid) => [guid, kind] as const),
  ),
)

export const EARLIER_KINDS: readonly Kind[] = Object.entries(VERSIONS).flatMap(([of, guids]) =>
  guids.map((guid) => createEarlierKind(guid, PRESENT.get(of))),
)

/** The kind with the first ports of the present one: those that the component library has for the earlier version. */
function createEarlierKind(guid: string, present: Kind | undefined): Kind {
  const known = findComponent(guid)
  if (!present || !known) throw new Error(`The class ${guid} or its present version is not known`)
  const { moreInputs, ...kind } = present
  const isOptional = (index: number) => known.inputs[index]?.isOptional ?? true
  const inputs = present.inputs
    .slice(0, known.inputs.filter(({ isRepeated }) => !isRepeated).length)
    .map((port, i) => ({ ...port, isOptional: isOptional(i) }))
  const lacking = present.inputs.slice(inputs.length).map(() => undefined)
  return {
    ...kind,
    guids: [guid],
    inputs,
    outputs: present.outputs.slice(0, known.outputs.length),
    ...(moreInputs ? { moreInputs: { ...moreInputs, isOptional: isOptional(inputs.length) } } : {}),
    // Inputs that users added come after all inputs of the present version.
    ...(moreInputs && lacking.length > 0
      ? { solve: (values, context) => present.solve(values.toSpliced(inputs.length, 0, ...lacking), context) }
      : {}),
  }
}
