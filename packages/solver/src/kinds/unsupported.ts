import { findCanvasObject, findComponent, findComponentName, findParameterType } from '@meadow/document'

/** Kinds that could only be approximated, and the reason. */
interface UnsupportedGroup {
  readonly reason: string
  /** With a name if the component library lacks it. */
  readonly guids: readonly (string | readonly [guid: string, name: string])[]
}

const UNSUPPORTED: readonly UnsupportedGroup[] = [
  {
    reason: 'how Grasshopper draws its random numbers is not published',
    guids: [
      '2ab17f9a-d852-4405-80e1-938c5e57e78d',
      ['f02a20f6-bb49-4e3d-b155-8ed5d3c6b000', 'Jitter'],
      ['455925fd-23ff-4e57-a0e7-913a4165e659', 'Random Reduce'],
      'e2d958e8-9f08-44f7-bf47-a684882d0b2a',
      'e202025b-dc8e-4c51-ae19-4415b172886f',
      'c8cb6a5c-2ffd-4095-ba2a-5c35015e09e4',
    ],
  },
  {
    reason: "it takes Rhino's kernel for solids, which is not published",
    guids: [
      'fab11c30-2d9c-4d15-ab3c-2289f1ae5c21',
      '10434a15-da85-4281-bb64-a2b3a995b9c6',
      '5723c845-cafc-442d-a667-8c76532845e6',
      'f0b70e8e-7337-4ce4-a7bb-317fc971f918',
      '7db14002-c09c-4d7b-9f80-e4e2b00dfa1d',
      '904e4b56-484a-4814-b35f-aa4baf362117',
      '4fe828e8-fa95-4cc5-9a8c-c33856ecc783',
      '20ef81e8-df15-4a0c-acf1-993a7607cafb',
      'ed0742f9-6647-4d95-9dfd-9ad17080ae9c',
      'e03561f8-0e66-41d3-afde-62049f152443',
      '5184b8cb-b71e-4def-a590-cd2c9bc58906',
      'd7ee52ff-89b8-4d1a-8662-3e0dd391d0af',
      '3b112fb6-3eba-42d2-ba75-0f903c18faab',
      '4439a51b-8d24-4924-b8e2-f77e7f8f5bec',
      'ac750e41-2450-4f98-9658-98fef97b01b2',
    ],
  },
  {
    reason: 'Rhino approximates it in a way that is not published',
    guids: [
      'bb6666e7-d0f4-41ec-a257-df2371619f13',
      '71506fa8-9bf0-432d-b897-b2e0c5ac316c',
      'b25c5762-f90e-4839-9fc5-74b74ab42b1e',
      '888f9c3c-f1e1-4344-94b0-5ee6a45aee11',
      'f1b75016-5818-4ece-be56-065253a2357d',
      '9333c5b3-11f9-423c-bbb5-7e5156430219',
      '922dc7e5-0f0e-4c21-ae4b-f6a8654e63f6',
      '80e55fc2-933b-4bfb-a353-12358786dba8',
      'd0a1b843-873d-4d1d-965c-b5423b35f327',
      '48a9fa10-8d3c-4767-aca6-81232271f6e0',
      'e45aa4a0-e40d-421c-a335-5185dd131836',
      '9266a2bb-918f-4675-9c91-f67d0dd33eac',
      'db661dd7-63a4-44c6-91f2-6faab2471383',
      'be52336f-a2e1-43b1-b5f5-178ba489508a',
    ],
  },
  {
    reason: 'where its curves begin, and in which order they come, is not published',
    guids: [
      '1222394f-0d33-4f31-9101-7281bde89fe5',
      'f72c480b-7ee6-42ef-9821-c371e9203b44',
      '477c2e7b-c5e5-421e-b8b2-ba60cdf5398b',
      '3092caf0-7cf9-4885-bcc0-e635d878832a',
      'a4011be0-1c91-45bd-8280-17dd3a9f46f1',
      'ba9bb57a-61cf-4207-a1c4-994e371ba4f9',
      '190c0070-8cbf-4347-94c2-d84bbb488d55',
      'c4373505-a4cf-4992-8db1-fd6e6bb5850d',
      '6b7ba278-5c9d-42f1-a61d-6209cbd44907',
    ],
  },
  {
    reason: 'this is an older version, whose outputs are not known',
    guids: [
      ['c98c1666-5f29-4bb8-aafd-bb5a708e8a95', 'Area Moments'],
      ['4b5f79e1-c2b3-4b9c-b97d-470145a3ca74', 'Volume Moments'],
    ],
  },
  {
    reason: 'SubDs are not solved',
    guids: ['c0b3c6e9-d05d-4c51-a0df-1ce2678c7a33', '855a2c73-31c0-41d2-b061-57d54229d11b'],
  },
  {
    reason: 'how it blends and rounds is not published',
    guids: [
      '6da9f120-3ad0-4b6e-9fe0-f8cde3a649b7',
      'bc984576-7aa6-491f-a91d-e444c33675a7',
      'f35132c0-c298-4b9c-b446-42e960f52677',
      'a45d68b3-c299-4b17-bdae-7975f216cec6',
      '17d40004-489e-42d9-ad10-857f7b436801',
    ],
  },
  {
    reason: 'how it tells values alike is not published',
    guids: ['b4d4235f-14ff-4d4e-a29a-b358dcd2baf4'],
  },
  {
    reason: 'what it needs is not kept in the document',
    guids: ['d69a3494-785b-4beb-969b-d2373f65abfd', '7f6a9d34-0470-4bb7-aadd-07496bcbe572'],
  },
  {
    reason: 'it remembers earlier solves, or waits for somebody',
    guids: ['401aa475-997a-4139-991d-f980ffdcf908', '65283518-ad00-49d3-87fb-f76823ebb162'],
  },
  {
    reason: 'it reads from a model or a file that is not here',
    guids: [
      'b341e2e5-c4b3-49a3-b3a4-b4e6e2054516',
      '317f1cb2-820d-4a8f-b5c8-5de3594ddfba',
      '6587fcbf-e3cf-480a-b2f5-641794474194',
    ],
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

/** Sorted by reason, then in order of declaration. */
export function listUnsupported(): readonly UnsupportedKind[] {
  return ALL
}

export function findUnsupported(guid: string): UnsupportedKind | undefined {
  return BY_GUID.get(guid)
}
