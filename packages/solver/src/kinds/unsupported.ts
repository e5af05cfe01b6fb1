import { findCanvasObject, findComponent, findComponentName, findParameterType } from '@meadow/document'

/** Kinds that could only be approximated, and the reason. */
interface UnsupportedGroup {
  readonly reason: string
  /** The component classes, each with a name if the component library lacks it. */
  readonly guids: readonly (string | readonly [guid: string, name: string])[]
}

const UNSUPPORTED: readonly UnsupportedGroup[] = [
  {
    reason: 'how it uses random numbers is not published',
    guids: [
      ['f02a20f6-bb49-4e3d-b155-8ed5d3c6b000', 'Jitter'],
      ['455925fd-23ff-4e57-a0e7-913a4165e659', 'Random Reduce'],
      'e2d958e8-9f08-44f7-bf47-a684882d0b2a',
      'e202025b-dc8e-4c51-ae19-4415b172886f',
      'c8cb6a5c-2ffd-4095-ba2a-5c35015e09e4',
    ],
  },
  {
    reason: 'it takes a kernel for curved solids, which Meadow lacks',
    guids: [
      '904e4b56-484a-4814-b35f-aa4baf362117',
      '4439a51b-8d24-4924-b8e2-f77e7f8f5bec',
      'ac750e41-2450-4f98-9658-98fef97b01b2',
    ],
  },
  {
    reason: 'Rhino approximates it in a way that is not published',
    guids: [
      '71506fa8-9bf0-432d-b897-b2e0c5ac316c',
      '888f9c3c-f1e1-4344-94b0-5ee6a45aee11',
      'f1b75016-5818-4ece-be56-065253a2357d',
      '9333c5b3-11f9-423c-bbb5-7e5156430219',
      '48a9fa10-8d3c-4767-aca6-81232271f6e0',
      'e45aa4a0-e40d-421c-a335-5185dd131836',
      '9266a2bb-918f-4675-9c91-f67d0dd33eac',
      'db661dd7-63a4-44c6-91f2-6faab2471383',
    ],
  },
  {
    reason: 'where its curves begin, and in which order they come, is not published',
    guids: ['190c0070-8cbf-4347-94c2-d84bbb488d55', 'c4373505-a4cf-4992-8db1-fd6e6bb5850d'],
  },
  {
    reason: 'this is an older version, whose outputs are not known',
    guids: [
      ['c98c1666-5f29-4bb8-aafd-bb5a708e8a95', 'Area Moments'],
      ['4b5f79e1-c2b3-4b9c-b97d-470145a3ca74', 'Volume Moments'],
    ],
  },
  {
    reason: 'how Rhino maps space along its axis, arc or surface is not published',
    guids: [
      ['2a27f87c-61c5-47c2-a0b7-7863f31a3594', 'Stretch'],
      ['539f5564-4fc0-4fc1-a7d3-b802fa2ef072', 'Bend Deform'],
      ['ffe2dbed-9b5d-4f91-8fe3-10c8961ac2f8', 'Curve On Surface'],
      ['57b2184c-8931-4e70-9220-612ec5b3809a', 'Patch'],
    ],
  },
  {
    reason: "it takes Rhino's quad remesher, which is not published",
    guids: [['27be41c6-50f8-4021-800d-ae8f9883640a', 'Quad Remesh Settings']],
  },
  {
    reason: 'SubDs are not solved',
    guids: ['c0b3c6e9-d05d-4c51-a0df-1ce2678c7a33', '855a2c73-31c0-41d2-b061-57d54229d11b'],
  },
  {
    reason: 'it belongs to Kangaroo, whose solver is not published',
    guids: [
      'b476d3d0-4daf-489c-b91a-49f5dd72a256',
      'f5f95b51-7431-4e80-a32f-d33e5dee53a5',
      '091bae84-8fa9-4b35-8aad-b25b859055f6',
      '580a1a0c-314d-4033-a54c-c129400b4b58',
      '8b4dbe32-0c6c-4304-972e-3f60ed613114',
      '0ed5e67d-539d-480e-88cb-d81fa795d66c',
      '8f9f19c0-207a-419d-90f6-2fcadaa845f9',
      'a54d250e-e285-4f38-9fb3-8dd9c886c659',
    ],
  },
  {
    reason: 'whether it has released its data is not in the document',
    guids: ['65283518-ad00-49d3-87fb-f76823ebb162'],
  },
  {
    reason:
      'it collects objects of the Rhino document by layer, name and type, and those are not in the definition',
    guids: ['b341e2e5-c4b3-49a3-b3a4-b4e6e2054516'],
  },
  {
    reason: 'it reads a file that is not in the document',
    guids: ['317f1cb2-820d-4a8f-b5c8-5de3594ddfba'],
  },
]

/** An unsupported kind. The reason is the end of a sentence. */
export interface UnsupportedKind {
  readonly guid: string
  readonly name: string
  readonly reason: string
}

const ALL: readonly UnsupportedKind[] = UNSUPPORTED.flatMap(({ reason, guids }) =>
  guids.map((entry) => {
    const [guid, name] = typeof entry === 'string' ? [entry, findName(entry)] : entry
    return { guid, name, reason }
  }),
)

const BY_GUID: ReadonlyMap<string, UnsupportedKind> = new Map(ALL.map((kind) => [kind.guid, kind]))

function findName(guid: string): string {
  const known = findComponent(guid) ?? findCanvasObject(guid) ?? findParameterType(guid)
  return known?.name ?? findComponentName(guid) ?? ''
}

/** Lists the unsupported kinds, sorted by reason, then in order of declaration. */
export function listUnsupported(): readonly UnsupportedKind[] {
  return ALL
}

export function findUnsupported(guid: string): UnsupportedKind | undefined {
  return BY_GUID.get(guid)
}
